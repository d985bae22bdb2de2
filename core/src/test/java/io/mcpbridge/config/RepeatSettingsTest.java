package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepeatSettingsTest {

    @Test
    void keysThatAreAbsentKeepTheirDefaults() {
        assertThat(bridge("{}").repeats()).isEqualTo(RepeatSettings.DEFAULTS);
    }

    @Test
    void everyKeyIsRead() {
        var read = bridge("{\"repeats\":{\"max-calls\":7,\"max-calls-per-principal\":3,\"max-bytes\":\"2KiB\","
                + "\"max-bytes-per-principal\":\"1KiB\",\"expiry\":\"90s\"}}");

        assertThat(read.repeats()).isEqualTo(new RepeatSettings(7, 3, 2_048, 1_024, Duration.ofSeconds(90)));
    }

    @ParameterizedTest
    @CsvSource({"max-calls,0", "max-calls-per-principal,0", "expiry,'\"0s\"'"})
    void whatCannotBeIsRefusedByItsName(String key, String value) {
        assertThatThrownBy(() -> bridge("{\"repeats\":{\"%s\":%s}}".formatted(key, value)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key);
    }

    private static BridgeSettings bridge(String json) {
        return BridgeSettings.from(Settings.parse(json));
    }
}
