package io.mcpbridge.catalog.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LockSettingsTest {

    @Test
    void absentKeysKeepTheirDefaults() {
        assertThat(LockSettings.from(Settings.of(Map.of())))
                .isEqualTo(LockSettings.DEFAULTS)
                .isEqualTo(new LockSettings(Path.of("mcp.lock"), LockMode.ENFORCE));
    }

    @Test
    void everyKeyIsRead() {
        var read = LockSettings.from(Settings.of(Map.of("lock", "/etc/tools.lock", "mode", "off")));

        assertThat(read).isEqualTo(new LockSettings(Path.of("/etc/tools.lock"), LockMode.OFF));
    }

    @Test
    void allMistakesAreReportedTogether() {
        assertThatThrownBy(() -> LockSettings.from(Settings.of(Map.of("lock", " ", "mode", "strict", "mod", "warn"))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'lock' is ' ' but must be the path of a file, such as 'mcp.lock'")
                .hasMessageContaining("'mode' is 'strict' but must be one of [enforce, warn, off]")
                .hasMessageContaining("'mod'");
    }
}
