package io.mcpbridge.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenPatternsTest {
    /** For a machine that does other things too; it takes a tenth of that. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://bob:hunter2@example.com/",
                "https://bob:p/hunter2@example.com/",
                "x://://bob:hunter2@example.com/",
                "x://a:b://bob:hunter2@example.com/",
                "x://a:b:c://bob:hunter2@example.com/",
                "x://y/z://bob:hunter2@example.com/",
                "x://y:80/z://bob:hunter2@example.com/",
                "x://u@h:p://bob:hunter2@example.com/",
                "x://u@h://bob:hunter2@example.com/"
            })
    void passwordsOfNestedUrlsAreFound(String text) {
        assertThat(redacted(text)).doesNotContain("hunter2").contains("example.com");
    }

    @Test
    void passwordIsFoundAfterALongUserName() {
        assertThat(redacted("https://" + "u".repeat(5_000) + ":hunter2@example.com/"))
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost:3000/users/@me?x=1",
                "Basic authentication required",
                "the Bearer token is missing",
                "a bearer of bad news",
                "eyJ is how a token begins",
                "-----BEGIN PUBLIC KEY-----",
                "https://bob@example.com/"
            })
    void ordinaryTextsAreUnchanged(String text) {
        assertThat(redacted(text)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"://a:", "eyJ", "eyJ.", "eyJ.eyJa.", "-----BEGIN PRIVATE KEY", "bearer ", "://aaaa", "SG."})
    void timeIsProportionalToTheText(String part) {
        var text = part.repeat(200_000 / part.length()) + "@";
        long began = System.nanoTime();

        redacted(text);

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONGEST);
    }

    private static String redacted(String text) {
        var spans = new SecretSpans();
        TokenPatterns.find(text, spans);
        return spans.replaceIn(text, text.length(), secret -> "…");
    }
}
