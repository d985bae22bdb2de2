package io.mcpbridge.audit.redact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EncodedFormsTest {
    private final AtomicInteger searches = new AtomicInteger();

    @Test
    void eachWordWithASecretIsFoundAndNoOther() {
        var encoded = Base64.getEncoder().encodeToString("user:hunter2".getBytes(UTF_8));
        var hex = HexFormat.of().formatHex("a hunter2".getBytes(UTF_8));
        var text = "abcdefghijk %s lmnopqrstuv a%%20b %s hunter%%32 wxyzabcdefghij".formatted(encoded, hex);

        assertThat(redacted(text)).isEqualTo("abcdefghijk … lmnopqrstuv a%20b … … wxyzabcdefghij");
    }

    @Test
    void allWordsOfATextAreSearchedAtOnce() {
        var redacted = redacted("abcdefghijk 100%25 ".repeat(5_000));

        assertThat(redacted).isEqualTo("abcdefghijk 100%25 ".repeat(5_000));
        assertThat(searches).hasValue(1);
    }

    @Test
    void nothingIsSearchedWhereNothingIsEncoded() {
        assertThat(redacted("words that are short")).isEqualTo("words that are short");
        assertThat(searches).hasValue(0);
    }

    private String redacted(String text) {
        var findings = new Findings();
        new EncodedForms(this::search).find(text, findings);
        return findings.replacedIn(text, word -> "…");
    }

    private Findings search(String decoded) {
        searches.incrementAndGet();
        var found = new Findings();
        for (int at = decoded.indexOf("hunter2"); at >= 0; at = decoded.indexOf("hunter2", at + 1)) {
            found.add(at, at + "hunter2".length());
        }
        return found;
    }
}
