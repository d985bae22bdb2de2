package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReconnectSettingsTest {

    @Test
    void absentKeysKeepTheirDefault() {
        assertThat(ReconnectSettings.from(Settings.of(Map.of())))
                .isEqualTo(new ReconnectSettings(Duration.ofSeconds(1), 10, 0, Duration.ofSeconds(30)))
                .isEqualTo(ReconnectSettings.DEFAULTS);
    }

    @Test
    void everyKeyIsRead() {
        var dashed = Settings.parse("""
            {"reconnect-backoff": "2s", "reconnect-attempts": 0, "reconnect-jitter": 0.5, "keep-alive": "0s"}\
            """);
        var ofTheContract = Settings.parse("""
            {"reconnectBackoffMs": 2000, "reconnectAttempts": 0, "reconnectJitter": 0.5, "keepAliveMs": 0}\
            """);

        var expected = new ReconnectSettings(Duration.ofSeconds(2), 0, 0.5, Duration.ZERO);
        assertThat(ReconnectSettings.from(dashed)).isEqualTo(expected);
        assertThat(ReconnectSettings.from(ofTheContract)).isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "reconnect-backoff  | '0s'   | is '0s' but must be longer than zero",
                "reconnectBackoffMs | -1     | is -1 but must be longer than zero",
                "reconnect-attempts | -1     | is -1 but must be at least 0",
                "reconnectAttempts  | 'many' | is 'many' but must be a whole number",
                "reconnect-jitter   | 1.5    | is 1.5 but must be from 0 to 1",
                "keep-alive         | 30     | is 30 but must be a time span such as 200ms, 5s, 2m or 1h",
                "keepAliveMs        | -1     | is -1 but must be zero or longer"
            },
            quoteCharacter = '"')
    void wrongValueIsRejected(String key, String value, String rule) {
        var settings = Settings.parse("{\"%s\": %s}".formatted(key, value.replace('\'', '"')));

        var read = ReconnectSettings.from(settings);

        assertThat(Refused.problems(() -> settings.finish(() -> read)))
                .containsExactly("line 1: '%s' %s".formatted(key, rule));
    }

    @Test
    void valuesSetInCodeAreValidatedToo() {
        assertThat(Refused.problems(() -> new ReconnectSettings(Duration.ZERO, -1, -1, Duration.ofMillis(-1))))
                .containsExactly(
                        "'reconnect-backoff' is 0s but must be longer than zero",
                        "'reconnect-attempts' is -1 but must be at least 0",
                        "'reconnect-jitter' is -1.0 but must be from 0 to 1",
                        "'keep-alive' is -1ms but must be zero or longer");
    }
}
