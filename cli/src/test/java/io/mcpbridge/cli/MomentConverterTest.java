package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.cli.TrailViewOptions.MomentConverter;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MomentConverterTest {
    private static final Clock NOW = Clock.fixed(Instant.parse("2026-01-31T08:00:00Z"), ZoneOffset.UTC);

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "2026-01-30T07:00:00Z, 2026-01-30T07:00:00Z",
        "2026-01-30T09:00:00+02:00, 2026-01-30T07:00:00Z",
        "30s, 2026-01-31T07:59:30Z",
        "10m, 2026-01-31T07:50:00Z",
        "2h, 2026-01-31T06:00:00Z",
        "1d, 2026-01-30T08:00:00Z"
    })
    void momentIsParsed(String text, Instant moment) {
        assertThat(MomentConverter.parse(text, NOW)).isEqualTo(moment);
    }

    @ParameterizedTest(name = "<{0}>")
    @ValueSource(strings = {"", "yesterday", "10", "-5m", "2026-01-30", "99999999999d"})
    void otherTextIsRejected(String text) {
        assertThatThrownBy(() -> MomentConverter.parse(text, NOW))
                .hasMessageContaining("'" + text + "'")
                .hasMessageContaining("10m");
    }
}
