package io.mcpbridge.audit.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretShapesTest {
    /** For a machine that does other things too; it takes a fiftieth of that. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://bob:hunter2@example.com/",
                "x://://bob:hunter2@example.com/",
                "x://a:b://bob:hunter2@example.com/",
                "x://a:b:c://bob:hunter2@example.com/",
                "x://y/z://bob:hunter2@example.com/",
                "x://y:80/z://bob:hunter2@example.com/",
                "x://u@h:p://bob:hunter2@example.com/",
                "x://u@h://bob:hunter2@example.com/"
            })
    void passwordsOfAddressesAreFoundInOtherAddressesToo(String text) {
        assertThat(redacted(text)).doesNotContain("hunter2").contains("example.com");
    }

    @Test
    void aPasswordIsFoundHoweverLongTheUserIs() {
        assertThat(redacted("https://" + "u".repeat(5_000) + ":hunter2@example.com/"))
                .doesNotContain("hunter2");
    }

    @Test
    void addressesInOneAnotherAreLookedAtOnce() {
        long began = System.nanoTime();

        SecretShapes.find("://a:".repeat(1_000_000), new Findings());

        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONGEST);
    }

    private static String redacted(String text) {
        var findings = new Findings();
        SecretShapes.find(text, findings);
        return findings.replacedIn(text, secret -> "…");
    }
}
