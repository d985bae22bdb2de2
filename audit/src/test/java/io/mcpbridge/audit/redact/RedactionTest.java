package io.mcpbridge.audit.redact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class RedactionTest {
    private final ArrayList<String> known = new ArrayList<>();
    private final Redaction redaction =
            Redaction.of(RedactionSettings.DEFAULTS, RedactionKey.of(new byte[32]), () -> known);

    @Test
    void shownNameIsHiddenOnceItIsKnownToBeSecret() {
        assertThat(redaction.text("swordfish-9000")).isEqualTo("swordfish-9000");
        assertThat(redaction.text("swordfish-9000")).isEqualTo("swordfish-9000");

        known.add("swordfish-9000");

        assertThat(redaction.text("swordfish-9000")).startsWith("hmac-sha256:");
    }

    @Test
    void thousandsOfNamesAreShownUnchanged() {
        for (int i = 0; i < 5_000; i++) {
            assertThat(redaction.text("client-" + i)).isEqualTo("client-" + i);
        }
    }

    @Test
    void textWithSecretIsHiddenEachTime() {
        known.add("swordfish-9000");

        assertThat(redaction.text("not swordfish-9000")).doesNotContain("swordfish");
        assertThat(redaction.text("not swordfish-9000")).doesNotContain("swordfish");
    }
}
