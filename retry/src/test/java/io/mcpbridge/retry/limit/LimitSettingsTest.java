package io.mcpbridge.retry.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.retry.limit.RateLimitSettings.Rate;
import io.mcpbridge.spi.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitSettingsTest {

    @Test
    void defaultsLimitNoRateAndEightAttempts() {
        assertThat(RateLimitSettings.from(Settings.parse("{\"per-second\": 7}")))
                .isEqualTo(new RateLimitSettings(new Rate(7, 7), Rate.UNLIMITED, 1024));
        assertThat(ConcurrencySettings.from(Settings.parse("{}"))).isEqualTo(new ConcurrencySettings(8, 1024));
    }

    @Test
    void everyKeyIsRead() {
        var section =
                "{\"per-second\": 50, \"burst\": 100, \"queue\": 7, \"principal\": {\"per-second\": 0.5, \"burst\":"
                        + " 2}}";

        assertThat(RateLimitSettings.from(Settings.parse(section)))
                .isEqualTo(new RateLimitSettings(new Rate(50, 100), new Rate(0.5, 2), 7));
        assertThat(ConcurrencySettings.from(Settings.parse("{\"max\": 2, \"queue\": 3}")))
                .isEqualTo(new ConcurrencySettings(2, 3));
    }

    @Test
    void defaultBurstIsTheRatePerSecond() {
        assertThat(RateLimitSettings.from(Settings.parse("{\"per-second\": 50}"))
                        .server())
                .isEqualTo(new Rate(50, 50));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"per-second\": 0} | 'per-second' is 0.0 but must be at least 0.001",
                "{\"per-second\": 1, \"burst\": 0} | 'burst' is 0 but must be at least 1",
                "{\"burst\": 10} | 'per-second' must be set to a number such as 50",
                "{} | 'per-second' must be set to a number such as 50, here or in 'principal', or the section limits nothing",
                "{\"principal\": {}, \"queue\": 5} | 'per-second' must be set to a number such as 50, here or in",
                "{\"queue\": -1} | 'queue' is -1 but must be between 0 and 1000000",
                "{\"principal\": {\"burst\": 10}} | 'principal.per-second' must be set to a number such as 50",
                "{\"principal\": {\"per-secnd\": 1}} | did you mean 'per-second'?",
                "{\"per-secon\": 1} | did you mean 'per-second'?"
            })
    void invalidRateIsRejectedByName(String section, String problem) {
        assertThatThrownBy(() -> RateLimitSettings.from(Settings.parse(section)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"max\": 0} | 'max' is 0 but must be between 1 and 1000000",
                "{\"queue\": -1} | 'queue' is -1 but must be between 0 and 1000000",
                "{\"mx\": 1} | did you mean 'max'?"
            })
    void invalidConcurrencyIsRejectedByName(String section, String problem) {
        assertThatThrownBy(() -> ConcurrencySettings.from(Settings.parse(section)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(problem);
    }
}
