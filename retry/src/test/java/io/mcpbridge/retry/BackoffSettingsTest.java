package io.mcpbridge.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.retry.BackoffSettings.ExponentialBackoff;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BackoffSettingsTest {

    @Test
    void exponentialMakesThreeAttemptsAfterOneAndTwoSeconds() {
        var settings = BackoffSettings.from(Settings.of(Map.of()), BackoffSettings.EXPONENTIAL);

        assertThat(settings).isEqualTo(BackoffSettings.EXPONENTIAL);
        assertThat(settings.maxAttempts()).isEqualTo(3);
        assertThat(settings.delay().after(1)).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.delay().after(2)).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void safeMakesThreeAttemptsWithin100And200Milliseconds() {
        var settings = BackoffSettings.from(Settings.of(Map.of()), BackoffSettings.SAFE);

        assertThat(settings).isEqualTo(BackoffSettings.SAFE);
        assertThat(settings.maxAttempts()).isEqualTo(3);
        assertThat(settings.delay().after(1)).isEqualTo(Duration.ofMillis(100));
        assertThat(settings.delay().after(100)).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void everyKeyIsRead() {
        var section = "{\"policy\": \"any\", \"max-attempts\": 5, \"first-delay\": \"200ms\","
                + " \"multiplier\": 1.5, \"max-delay\": \"3s\"}";
        var delay = new ExponentialBackoff(Duration.ofMillis(200), 1.5, Duration.ofSeconds(3));

        assertThat(BackoffSettings.from(Settings.parse(section), BackoffSettings.EXPONENTIAL))
                .isEqualTo(new BackoffSettings(5, delay));
        assertThat(BackoffSettings.from(Settings.parse(section), BackoffSettings.SAFE))
                .isEqualTo(new BackoffSettings(5, delay));
    }

    @Test
    void firstDelayBeyondTheDefaultBoundRaisesTheBound() {
        var settings = BackoffSettings.from(Settings.of(Map.of("first-delay", "1m")), BackoffSettings.SAFE);

        assertThat(settings.delay().max()).isEqualTo(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"max-attempts\": 0} | 'max-attempts' is 0 but must be at least 1",
                "{\"max-attempts\": \"3\"} | 'max-attempts' is '3' but must be a whole number",
                "{\"first-delay\": 100} | 'first-delay' is 100 but must be a time span",
                "{\"first-delay\": \"25h\"} | 'first-delay' is 25h but must be between 0s and 24h",
                "{\"multiplier\": 0.5} | 'multiplier' is 0.5 but must be between 1 and 1000",
                "{\"max-delay\": \"10ms\"} | 'max-delay' is 10ms but must be at least 'first-delay' and at most 24h",
                "{\"max-delay\": \"25h\"} | 'max-delay' is 25h but must be at least 'first-delay' and at most 24h",
                "{\"max-attempt\": 3} | did you mean 'max-attempts'?"
            })
    void invalidValueIsRejectedByName(String section, String problem) {
        assertThatThrownBy(() -> BackoffSettings.from(Settings.parse(section), BackoffSettings.EXPONENTIAL))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(problem);
        assertThatThrownBy(() -> BackoffSettings.from(Settings.parse(section), BackoffSettings.SAFE))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void allMistakesAreReportedTogether() {
        var section = Settings.parse("{\"max-attempts\": 0, \"multiplier\": 0, \"max-delay\": \"25h\"}");

        assertThatThrownBy(() -> BackoffSettings.from(section, BackoffSettings.EXPONENTIAL))
                .hasMessageContaining("3 mistakes")
                .hasMessageContaining("max-attempts")
                .hasMessageContaining("multiplier")
                .hasMessageContaining("max-delay");
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"25h", "soon"})
    void invalidFirstDelayDoesNotInvalidateMaxDelay(String first) {
        var section = "{\"first-delay\": \"%s\", \"max-delay\": \"10ms\"}".formatted(first);

        assertThatThrownBy(() -> BackoffSettings.from(Settings.parse(section), BackoffSettings.SAFE))
                .hasMessageContaining("first-delay")
                .hasMessageNotContaining("max-delay");
        assertThatThrownBy(() -> new ExponentialBackoff(Duration.ofHours(25), 2, Duration.ofSeconds(1)))
                .hasMessageNotContaining("max-delay");
    }

    @Test
    void settingsMadeInCodeAreValidated() {
        var delay = BackoffSettings.SAFE.delay();

        assertThatThrownBy(() -> new BackoffSettings(0, delay)).hasMessageContaining("'max-attempts' is 0");
        assertThatThrownBy(() -> new ExponentialBackoff(Duration.ofMillis(-1), 2, Duration.ofSeconds(1)))
                .hasMessageContaining("'first-delay' is -1ms");
        assertThatThrownBy(() -> new ExponentialBackoff(Duration.ofSeconds(1), Double.NaN, Duration.ofSeconds(1)))
                .hasMessageContaining("'multiplier' is NaN");
    }
}
