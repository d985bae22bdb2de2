package io.mcpbridge.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonClientConfigurationTest {

    @Test
    void everythingHasADefault() {
        assertThat(DaemonClientConfiguration.parse("{}")).isEqualTo(DaemonClientConfiguration.DEFAULTS);
    }

    @Test
    void missingFileMeansTheDefaults(@TempDir Path folder) {
        assertThat(DaemonClientConfiguration.read(folder.resolve(DaemonClientConfiguration.FILE)))
                .isEqualTo(DaemonClientConfiguration.DEFAULTS);
    }

    @Test
    void everyKeyIsRead() {
        var configuration = DaemonClientConfiguration.parse("""
            {"mcpBridge": {"socketPath": "/tmp/mcp-bridge.sock", "autoConnect": false, "other": 1,
                           "reconnect": {"enabled": false, "maxAttempts": 2, "initialDelayMs": 50}},
             "client": {"id": "editor-1"}}
            """);

        assertThat(configuration)
                .isEqualTo(new DaemonClientConfiguration(
                        Optional.of(Path.of("/tmp/mcp-bridge.sock")),
                        false,
                        false,
                        2,
                        Duration.ofMillis(50),
                        Optional.of("editor-1")));
    }

    @Test
    void refusalNamesKeyValueAndRule() {
        assertThatThrownBy(() -> DaemonClientConfiguration.parse("{\"mcpBridge\":{\"autoConnect\":\"yes\"}}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'mcpBridge.autoConnect' is 'yes' but must be true or false");
        assertThatThrownBy(() -> DaemonClientConfiguration.parse("{\"mcpBridge\":{\"reconnect\":{\"maxAttempts\":0}}}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'mcpBridge.reconnect.maxAttempts' is 0 but must be at least 1");
    }
}
