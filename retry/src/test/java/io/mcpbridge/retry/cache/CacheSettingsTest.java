package io.mcpbridge.retry.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CacheSettingsTest {

    @Test
    void defaultsCacheNoToolAnd1024EntriesOf16MiB() {
        assertThat(CacheSettings.from(Settings.parse("{}"))).isEqualTo(new CacheSettings(Map.of(), 1024, 16 << 20));
        assertThat(CoalescingSettings.from(Settings.parse("{}"))).isEqualTo(new CoalescingSettings(1024));
    }

    @Test
    void everyKeyIsRead() {
        var section = "{\"tools\": {\"get_issue\": \"30s\"}, \"entries\": 5, \"bytes\": \"64KiB\"}";

        assertThat(CacheSettings.from(Settings.parse(section)))
                .isEqualTo(new CacheSettings(Map.of("get_issue", Duration.ofSeconds(30)), 5, 64 << 10));
        assertThat(CoalescingSettings.from(Settings.parse("{\"max-calls\": 2}")))
                .isEqualTo(new CoalescingSettings(2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"entries\": 0} | 'entries' is 0 but must be at least 1",
                "{\"bytes\": \"0B\"} | 'bytes' is 0 but must be at least 1B",
                "{\"tools\": {\"get\": \"0s\"}} | 'tools.get' is '0s' but must be longer than zero and at most 24h",
                "{\"tools\": {\"get\": 5}} | 'tools.get' is 5 but must be a time span",
                "{\"entrys\": 5} | did you mean 'entries'?"
            })
    void invalidValueIsRejectedByName(String section, String problem) {
        assertThatThrownBy(() -> CacheSettings.from(Settings.parse(section)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(problem);
    }

    @Test
    void coalescingLimitOfOneIsRejected() {
        assertThatThrownBy(() -> CoalescingSettings.from(Settings.parse("{\"max-calls\": 1}")))
                .hasMessageContaining("'max-calls' is 1 but must be at least 2");
    }
}
