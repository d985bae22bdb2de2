package io.mcpbridge.retry.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BreakerSettingsTest {

    @Test
    void defaultsOpenAfterFiveInARowOrHalfOfTenWithinAMinute() {
        assertThat(BreakerSettings.from(Settings.parse("{}"))).isEqualTo(BreakerSettings.DEFAULTS);
        assertThat(BreakerSettings.DEFAULTS)
                .isEqualTo(new BreakerSettings(
                        5, 50, 10, Duration.ofMinutes(1), Duration.ofSeconds(5), Duration.ofMinutes(5)));
    }

    @Test
    void everyKeyIsRead() {
        var section = "{\"consecutive\": 3, \"failure-percent\": 20, \"minimum-calls\": 4, \"window\": \"10s\","
                + " \"open-time\": \"1s\", \"max-open-time\": \"1m\"}";

        assertThat(BreakerSettings.from(Settings.parse(section)))
                .isEqualTo(new BreakerSettings(
                        3, 20, 4, Duration.ofSeconds(10), Duration.ofSeconds(1), Duration.ofMinutes(1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"consecutive\": 0} | 'consecutive' is 0 but must be at least 1",
                "{\"failure-percent\": 101} | 'failure-percent' is 101 but must be between 1 and 100",
                "{\"minimum-calls\": 0} | 'minimum-calls' is 0 but must be at least 1",
                "{\"window\": \"10ms\"} | 'window' is 10ms but must be between 1s and 24h",
                "{\"open-time\": \"0s\"} | 'open-time' is 0s but must be between 1ms and 24h",
                "{\"max-open-time\": \"1s\"} | 'max-open-time' is 1s but must be between 'open-time' and 24h",
                "{\"consecutiv\": 3} | did you mean 'consecutive'?"
            })
    void invalidValueIsRejectedByName(String section, String problem) {
        assertThatThrownBy(() -> BreakerSettings.from(Settings.parse(section)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(problem);
    }
}
