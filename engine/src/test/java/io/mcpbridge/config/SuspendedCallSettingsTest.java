package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.config.BridgeSettings.SuspendedCallSettings;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuspendedCallSettingsTest {

    @Test
    void absentKeysKeepTheirDefaults() {
        assertThat(bridge("{}").suspendedCalls()).isEqualTo(SuspendedCallSettings.DEFAULTS);
    }

    @Test
    void everyKeyIsRead() {
        var read = bridge("{\"suspended-calls\":{\"max-calls\":7,\"max-calls-per-principal\":3,\"expiry\":\"90s\"}}");

        assertThat(read.suspendedCalls()).isEqualTo(new SuspendedCallSettings(7, 3, Duration.ofSeconds(90)));
    }

    @ParameterizedTest
    @CsvSource({"max-calls,0", "max-calls-per-principal,0", "expiry,'\"0s\"'"})
    void wrongValueIsRejectedWithItsKey(String key, String value) {
        assertThatThrownBy(() -> bridge("{\"suspended-calls\":{\"%s\":%s}}".formatted(key, value)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key);
    }

    private static BridgeSettings bridge(String json) {
        return BridgeSettings.from(Settings.parse(json));
    }
}
