package io.mcpbridge.transport.unix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.stream.ClientStreamLimits;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnixSettingsTest {
    private static final Path USUAL = Path.of("/run/user/1000/mcp-bridge/bridge.sock");

    @Nested
    class OfTheTransport {

        @Test
        void limitsHaveDefaults() {
            var settings = UnixTransportSettings.from(Settings.of(Map.of("path", "/run/tool.sock")));

            assertThat(settings).isEqualTo(new UnixTransportSettings(Path.of("/run/tool.sock"), 1_024, 16_842_752));
        }

        @Test
        void everyKeyIsRead() {
            var settings = UnixTransportSettings.from(
                    Settings.of(Map.of("url", "unix:/run/with%20space.sock", "max-queued", 7, "max-queued-bytes", 99)));

            assertThat(settings).isEqualTo(new UnixTransportSettings(Path.of("/run/with space.sock"), 7, 99));
        }

        @ParameterizedTest(name = "{0} = {1}")
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '"',
                value = {
                    "path | \"\" | 'path' is '' but must be the path of a socket",
                    "url | http://localhost | 'http://localhost' is not the address of a socket",
                    "url | unix:?x | 'unix:?x' is not the address of a socket",
                    "url | /run/x | '/run/x' is not the address of a socket",
                    "url | unix://host/run/x | 'unix://host/run/x' is not the address of a socket",
                    "path | / | '/' is a directory; name a file in it",
                    "pathh | /x | 'pathh' is not a key here; did you mean 'path'?",
                    "max-queued | 0 | 'max-queued' is 0 but must be at least 1",
                    "max-queued-bytes | 0 | 'max-queued-bytes' is 0 but must be at least 1",
                })
        void errorNamesKeyValueAndRule(String key, String value, String message) {
            var number = value.equals("0") ? (Object) 0 : value;
            var values = key.startsWith("max") ? Map.of("path", "/run/x", key, number) : Map.of(key, number);

            assertThatThrownBy(() -> UnixTransportSettings.from(Settings.of(values)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(message);
        }

        @Test
        void missingPathIsReported() {
            assertThatThrownBy(() -> UnixTransportSettings.from(Settings.of(Map.of())))
                    .hasMessageContaining("'path' is missing");
        }

        @Test
        void pathTogetherWithUrlIsRejected() {
            assertThatThrownBy(() ->
                            UnixTransportSettings.from(Settings.of(Map.of("path", "/run/x", "url", "unix:/run/y"))))
                    .hasMessageContaining("'url' is 'unix:/run/y' but must be left out where 'path' is given");
        }
    }

    @Nested
    class OfTheListener {

        @Test
        void allKeysHaveDefaults() {
            var settings = UnixListenerSettings.from(Settings.of(Map.of()), USUAL);

            assertThat(settings)
                    .isEqualTo(new UnixListenerSettings(
                            USUAL, 1_024, Duration.ofSeconds(10), 8_192, 512, ClientStreamLimits.DEFAULTS));
        }

        @Test
        void everyKeyIsRead() {
            var settings = UnixListenerSettings.from(
                    Settings.of(Map.of(
                            "path", "/run/b.sock",
                            "backlog", 5,
                            "grace", "2s",
                            "max-connections", 6,
                            "max-silent-connections", 7,
                            "frame-deadline", "3s",
                            "max-queued-bytes", 8)),
                    USUAL);

            var lines = ClientStreamLimits.DEFAULTS
                    .withFrameDeadline(Duration.ofSeconds(3))
                    .withMaxQueuedBytes(8);
            assertThat(settings)
                    .isEqualTo(new UnixListenerSettings(Path.of("/run/b.sock"), 5, Duration.ofSeconds(2), 6, 7, lines));
        }

        @Test
        void socketPathKeyIsAccepted() {
            var settings = UnixListenerSettings.from(Settings.of(Map.of("socketPath", "/tmp/mcp-bridge.sock")), USUAL);

            assertThat(settings.path()).isEqualTo(Path.of("/tmp/mcp-bridge.sock"));
        }

        @ParameterizedTest(name = "{0} = {1}")
        @CsvSource(
                delimiter = '|',
                quoteCharacter = '"',
                value = {
                    "backlog | 0 | 'backlog' is 0 but must be at least 1",
                    "grace | 0s | 'grace' is 0s but must be longer than zero",
                    "max-connections | 0 | 'max-connections' is 0 but must be at least 1",
                    "max-silent-connections | 0 | 'max-silent-connections' is 0 but must be at least 1",
                    "frame-deadline | 0s | 'frame-deadline' is 0s but must be longer than zero",
                    "max-queued-bytes | 0 | 'max-queued-bytes' is 0 but must be at least 1",
                    "backlogs | 0 | 'backlogs' is not a key here; did you mean 'backlog'?",
                })
        void errorNamesKeyValueAndRule(String key, String value, String message) {
            var number = value.equals("0") ? (Object) 0 : value;

            assertThatThrownBy(() -> UnixListenerSettings.from(Settings.of(Map.of(key, number)), USUAL))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(message);
        }
    }

    @Test
    void addressIsAUriOfTheScheme() {
        assertThat(SocketPath.uri(Path.of("/run/a b.sock"))).isEqualTo(URI.create("unix:/run/a%20b.sock"));
    }
}
