package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.BridgeSettings.LimitSettings;
import io.mcpbridge.spi.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LimitSettingsTest {

    @Test
    void absentKeysKeepTheirDefaults() {
        assertThat(LimitSettings.from(Settings.parse("{}")))
                .isEqualTo(new LimitSettings(1_024, 8_192, 256, 1_024, 1_024, 64, 1_024, 4 << 20, 16 << 20))
                .isEqualTo(LimitSettings.DEFAULTS);
    }

    @Test
    void everyKeyIsRead() {
        var limits = LimitSettings.from(Settings.parse("""
            {"in-flight": 1, "connections": 2, "subscriptions": 4, "subscribed-resources": 7, "queue": 3, "questions-per-client": 5,
            "questions": 6, "client-frame": "512B",
            "server-frame": "64KiB"}\
            """));

        assertThat(limits).isEqualTo(new LimitSettings(1, 2, 4, 7, 3, 5, 6, 512, 65_536));
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            delimiter = '|',
            value = {
                "in-flight    | 0        | line 1: 'in-flight' is 0 but must be at least 1",
                "connections  | -1       | line 1: 'connections' is -1 but must be at least 1",
                "subscriptions | 0       | line 1: 'subscriptions' is 0 but must be at least 1",
                "subscribed-resources | 0 | line 1: 'subscribed-resources' is 0 but must be at least 1",
                "queue        | 0        | line 1: 'queue' is 0 but must be at least 1",
                "questions-per-client | 0 | line 1: 'questions-per-client' is 0 but must be at least 1",
                "questions    | 0        | line 1: 'questions' is 0 but must be at least 1",
                "client-frame | '0B'     | line 1: 'client-frame' is 0 but must be at least 1",
                "server-frame | '4GiB'   | line 1: 'server-frame' is '4GiB' but must be less than 2GiB",
                "server-frame | '2048MiB'| line 1: 'server-frame' is '2048MiB' but must be less than 2GiB",
                "server-frame | 4096     | line 1: 'server-frame' is 4096 but must be a size such as 512B, 64KiB, 64MB"
                        + " or 10GiB",
                "in-fligth    | 1        | line 1: 'in-fligth' is not a key here; did you mean 'in-flight'?"
            },
            quoteCharacter = '"')
    void wrongValueIsRejected(String key, String value, String problem) {
        var json = "{\"%s\": %s}".formatted(key, value.replace('\'', '"'));

        assertThat(Refused.problems(() -> LimitSettings.from(Settings.parse(json))))
                .containsExactly(problem);
    }
}
