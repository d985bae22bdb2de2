package io.mcpbridge.audit.redact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnownValueFinderTest {
    /** For a machine that does other things too; it takes a twentieth of that. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private final ArrayList<String> source = new ArrayList<>(List.of("pass/word: 1", "p\u00e4ss", "swordfish-9000"));
    private final KnownValueFinder known = new KnownValueFinder(() -> source);

    @Test
    void eachFormOfAValueIsFoundAndNothingElse() {
        var encoded = Base64.getEncoder().encodeToString("user:swordfish-9000".getBytes(UTF_8));
        var hex = HexFormat.of().formatHex("swordfish-9000".getBytes(UTF_8));
        var text = "abcdefghijk %s a%%20b %s %s wxyz".formatted(encoded, hex, URLEncoder.encode("pass/word: 1", UTF_8));

        assertThat(redacted(text)).isEqualTo("abcdefghijk dXNlcjp…A== a%20b … … wxyz");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void aValueIsFoundInBase64WhateverStandsBeforeAndAfterIt(int before) {
        for (int after = 0; after < 3; after++) {
            var bytes = ("x".repeat(before) + "swordfish-9000" + "y".repeat(after)).getBytes(UTF_8);

            assertThat(redacted(Base64.getEncoder().encodeToString(bytes))).contains("…");
            assertThat(redacted(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)))
                    .contains("…");
        }
    }

    @Test
    void blanksAndColonsWithinAValueDoNotHideIt() {
        var hex = HexFormat.ofDelimiter(":").formatHex("swordfish-9000".getBytes(UTF_8));

        assertThat(redacted("it is " + hex + ".")).isEqualTo("it is ….");
        assertThat(redacted("it is sword fish\n-9000.")).isEqualTo("it is ….");
        assertThat(redacted("it is passwo rd/ no, pass/word:1.")).isEqualTo("it is passwo rd/ no, ….");
    }

    @Test
    void aShortValueIsFoundAsItIs() {
        assertThat(redacted("a p\u00e4ss p\u00e4ss, p \u00e4ss")).isEqualTo("a … …, p \u00e4ss");
    }

    @Test
    void valuesThatBecomeKnownAreFound() {
        assertThat(redacted("hunter2-of-bob")).isEqualTo("hunter2-of-bob");

        source.add("hunter2-of-bob");

        assertThat(redacted("hunter2-of-bob")).isEqualTo("…");
    }

    @Test
    void aThousandValuesAreFoundAsFastAsOne() {
        IntStream.range(0, 1_000).forEach(i -> source.add("%04d-secret-value-of-many".formatted(i)));
        var text = "secret-value-secret-value ".repeat(2_500);
        redacted(text);
        long began = System.nanoTime();

        for (int i = 0; i < 20; i++) {
            assertThat(redacted(text)).isEqualTo(text);
        }

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONGEST);
    }

    private String redacted(String text) {
        var spans = new SecretSpans();
        known.find(text, spans);
        return spans.replaceIn(text, text.length(), secret -> "…");
    }
}
