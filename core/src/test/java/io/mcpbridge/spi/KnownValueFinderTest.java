package io.mcpbridge.spi;

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
    void valueIsFoundInBase64AtAnyOffset(int before) {
        for (int after = 0; after < 3; after++) {
            var bytes = ("x".repeat(before) + "swordfish-9000" + "y".repeat(after)).getBytes(UTF_8);

            assertThat(redacted(Base64.getEncoder().encodeToString(bytes))).contains("…");
            assertThat(redacted(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)))
                    .contains("…");
        }
    }

    @Test
    void blanksAndColonsDoNotHideAValue() {
        var hex = HexFormat.ofDelimiter(":").formatHex("swordfish-9000".getBytes(UTF_8));

        assertThat(redacted("it is " + hex + ".")).isEqualTo("it is ….");
        assertThat(redacted("it is sword fish\n-9000.")).isEqualTo("it is ….");
        assertThat(redacted("it is passwo rd/ no, pass/word:1.")).isEqualTo("it is passwo rd/ no, ….");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n", " ", "\n  ", "\u00a0", "\\n", "\\r\\n", "\n\t"})
    void wrappedBase64DoesNotHideAValue(String wrap) {
        var encoded = Base64.getEncoder().encodeToString("user:swordfish-9000".getBytes(UTF_8));
        var wrapped = encoded.replaceAll("(.{6})", "$1" + wrap.replace("\\", "\\\\"));

        assertThat(redacted("it is " + wrapped)).startsWith("it is dXNlcj").doesNotContain(encoded.substring(8, 12));
    }

    @Test
    void escapedSlashesDoNotHideAValue() {
        source.add("???>>>???");

        assertThat(redacted("\"Pz8\\/Pj4+Pz8\\/\"")).isEqualTo("\"…\"");
    }

    @Test
    void backslashBeforeAValueDoesNotHideItsFirstLetter() {
        source.add("root-of-all-9000");

        assertThat(redacted("C:\\root-of-all-9000")).isEqualTo("C:\\…");
    }

    @Test
    void startOfATruncatedWrappedValueIsFound() {
        var encoded = Base64.getEncoder().encodeToString("swordfish-9000".getBytes(UTF_8));

        assertThat(known.startOfCutValue("it is " + encoded.substring(0, 6) + "\n" + encoded.substring(6, 12)))
                .isEqualTo("it is ".length());
        assertThat(known.startOfCutValue("it is ~")).isEqualTo("it is ~".length());
    }

    @Test
    void partialMatchesTakeLinearTime() {
        source.add("a".repeat(16_000) + "b");
        var text = "a".repeat(65_536);

        assertThat(redacted(text)).isEqualTo(text);
        assertThat(known.startOfCutValue(text)).isEqualTo(65_536 - 16_000);
    }

    @Test
    void shortValueIsFoundUnencoded() {
        assertThat(redacted("a p\u00e4ss p\u00e4ss, p \u00e4ss")).isEqualTo("a … …, p \u00e4ss");
    }

    @Test
    void valuesAddedLaterAreFound() {
        assertThat(redacted("hunter2-of-bob")).isEqualTo("hunter2-of-bob");

        source.add("hunter2-of-bob");

        assertThat(redacted("hunter2-of-bob")).isEqualTo("…");
    }

    @Test
    void thousandValuesAreFoundAsFastAsOne() {
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
