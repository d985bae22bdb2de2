package io.mcpbridge.retry.runonce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.retry.runonce.RunOnceSettings.Share;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunOnceSettingsTest {

    @Test
    void absentKeysKeepTheirDefaults() {
        assertThat(settings("{}")).isEqualTo(RunOnceSettings.DEFAULTS);
    }

    @Test
    void everyKeyIsRead() {
        var read = settings("{\"max-calls\":7,\"max-calls-per-principal\":3,\"max-bytes\":\"2KiB\","
                + "\"max-bytes-per-principal\":\"1KiB\",\"expiry\":\"90s\"}");

        assertThat(read.expiry()).isEqualTo(Duration.ofSeconds(90));
        assertThat(read.all()).isEqualTo(new Share(7, 2_048));
        assertThat(read.perPrincipal()).isEqualTo(new Share(3, 1_024));
    }

    @ParameterizedTest
    @CsvSource({"max-calls,0", "max-calls-per-principal,0", "expiry,'\"0s\"'"})
    void invalidValueIsRejectedByName(String key, String value) {
        assertThatThrownBy(() -> settings("{\"%s\":%s}".formatted(key, value)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(key);
    }

    private static RunOnceSettings settings(String json) {
        return RunOnceSettings.from(Settings.parse(json));
    }
}
