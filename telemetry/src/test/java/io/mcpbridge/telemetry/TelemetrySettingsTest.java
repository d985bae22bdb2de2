package io.mcpbridge.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TelemetrySettingsTest {

    @Test
    void spansAreOnByDefault() {
        assertThat(TelemetrySettings.from(Settings.of(Map.of()))).isEqualTo(TelemetrySettings.DEFAULTS);
    }

    @Test
    void everyKeyIsRead() {
        assertThat(TelemetrySettings.from(Settings.of(Map.of("spans", "off"))).spans())
                .isEqualTo(TelemetrySettings.Spans.OFF);
        assertThat(TelemetrySettings.from(Settings.of(Map.of("spans", "auto"))).spans())
                .isEqualTo(TelemetrySettings.Spans.AUTO);
    }

    @Test
    void otherValueIsRejected() {
        assertThatThrownBy(() -> TelemetrySettings.from(Settings.of(Map.of("spans", "on"))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'spans'")
                .hasMessageContaining("'on'")
                .hasMessageContaining("'auto' or 'off'");
    }

    @Test
    void unknownKeyIsRejected() {
        assertThatThrownBy(() -> TelemetrySettings.from(Settings.of(Map.of("span", "auto"))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'span'")
                .hasMessageContaining("'spans'");
    }
}
