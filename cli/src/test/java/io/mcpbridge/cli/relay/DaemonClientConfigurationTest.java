package io.mcpbridge.cli.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mcpbridge.failure.ConfigurationException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonClientConfigurationTest {

    @Test
    void allKeysHaveDefaults() {
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
            {"mcpBridge": {"socketPath": "/tmp/mcp-bridge.sock", "autoConnect": false,
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
    void modelProvidersAreReadSeparately(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("client.json"), "{\"models\": {\"local\": {\"api\": \"openai\"}}}");

        assertThat(DaemonClientConfiguration.read(file)).isEqualTo(DaemonClientConfiguration.DEFAULTS);
        assertThat(DaemonClientConfiguration.readModels(file).keys()).containsExactly("local");
        assertThat(DaemonClientConfiguration.readModels(folder.resolve("none")).keys())
                .isEmpty();
    }

    @Test
    void unknownKeysAreRejected(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("client.json"), """
            {"mcpBridge": {"socketPth": "/tmp/b.sock", "reconnect": {"maxAttempt": 2}},
             "client": {"name": "x"}, "theme": "dark"}
            """);

        assertThat(problems(() -> DaemonClientConfiguration.read(file)))
                .containsExactlyInAnyOrder(
                        file + ": line 1: 'mcpBridge.socketPth' is not a key here; did you mean 'socketPath'?",
                        file
                                + ": line 1: 'mcpBridge.reconnect.maxAttempt' is not a key here; did you mean 'maxAttempts'?",
                        file + ": line 2: 'client.name' is not a key here; known are [id]",
                        file + ": line 2: 'theme' is not a key here; known are [client, mcpBridge, models]");
    }

    @Test
    void textThatIsNotJsonIsRejected(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("client.json"), "{");

        assertThat(problems(() -> DaemonClientConfiguration.read(file)))
                .singleElement()
                .asString()
                .startsWith("'" + file + "' is not JSON: ");
    }

    @Test
    void errorNamesKeyValueAndRule() {
        assertThatThrownBy(() -> DaemonClientConfiguration.parse("{\"mcpBridge\":{\"autoConnect\":\"yes\"}}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'mcpBridge.autoConnect' is 'yes' but must be true or false");
        assertThatThrownBy(() -> DaemonClientConfiguration.parse("{\"mcpBridge\":{\"reconnect\":{\"maxAttempts\":0}}}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'mcpBridge.reconnect.maxAttempts' is 0 but must be at least 1");
    }

    private static List<String> problems(ThrowingCallable action) {
        var refusal = catchThrowableOfType(ConfigurationException.class, action);
        return refusal == null ? List.of() : refusal.problems();
    }
}
