package io.mcpbridge.message;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProtocolVersionTest {

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "2024-11-05, LEGACY, true",
        "2025-03-26, LEGACY, true",
        "2025-06-18, LEGACY, true",
        "2025-11-25, LEGACY, true",
        "2026-07-28, MODERN, true",
        "2024-10-07, LEGACY, false",
        "2026-07-27, LEGACY, false",
        "2027-01-01, MODERN, false",
    })
    void versionHasAnEraWhetherKnownOrNot(String text, Era era, boolean isKnown) {
        var version = new ProtocolVersion(text);

        assertThat(version.era()).isEqualTo(era);
        assertThat(ProtocolVersion.KNOWN.contains(version)).isEqualTo(isKnown);
        assertThat(version).hasToString(text);
    }

    @Test
    void latestVersionsAreTheLastOfTheirEra() {
        assertThat(ProtocolVersion.LATEST.era()).isEqualTo(Era.MODERN);
        assertThat(ProtocolVersion.LATEST_LEGACY.text()).isEqualTo("2025-11-25");
    }

    @Test
    void blankVersionIsRejected() {
        assertThatThrownBy(() -> new ProtocolVersion(" ")).isInstanceOf(IllegalArgumentException.class);
    }
}
