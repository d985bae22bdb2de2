package io.mcpbridge.transport.stdio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.stream.ClientStreamLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener on the real standard streams of a process of its own. */
@Timeout(60)
class StdioListenerTest {
    private final Process process = start();
    private final LineClient client = new LineClient(process.getInputStream(), process.getOutputStream());

    StdioListenerTest() throws IOException {}

    private static Process start() throws IOException {
        var settings = Fixture.java(EchoServer.class);
        var words = new ArrayList<>(List.of(settings.command()));
        words.addAll(settings.args());
        return new ProcessBuilder(words).start();
    }

    @AfterEach
    void stop() throws InterruptedException {
        client.close();
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("B10: prints of other code go to standard error while the listener runs")
    void printsOfOthersGoToStandardError() throws Exception {
        client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"print\"}");

        assertThat(client.receive()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
        client.endInput();
        assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8)).contains("a stray print");
        client.awaitEnd();
    }

    @Test
    @DisplayName("B10: standard output is restored after the listener is closed")
    void standardOutputIsRestoredAfterTheEnd() throws Exception {
        client.endInput();

        assertThat(client.receive()).isEqualTo("printed after the end");
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("D14: requests that were sent before the end of the input are answered")
    void requestsSentBeforeTheEndOfTheInputAreAnswered() throws Exception {
        client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"later\"}");
        client.endInput();

        assertThat(client.receive()).contains("\"id\":1").contains("result");
    }

    @Test
    @DisplayName("G4: a client that does not read its answers does not block the threads that send them")
    void clientThatDoesNotReadBlocksNoThread() throws Exception {
        var text = "x".repeat(100_000);
        for (int i = 0; i < 20; i++) {
            client.send("{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"echo\",\"params\":{\"text\":\"%s\"}}"
                    .formatted(i, text));
        }

        for (int i = 0; i < 20; i++) {
            assertThat(client.receive()).contains("\"id\":" + i + ",").contains(text);
        }
    }

    @Test
    void absentSettingsKeepTheirDefaults() {
        assertThat(StdioListenerSettings.from(Settings.of(Map.of()))).isEqualTo(StdioListenerSettings.DEFAULTS);
        assertThat(StdioListenerSettings.DEFAULTS.drainTimeout()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void everySettingIsRead() {
        var section = Settings.of(Map.of("drain-timeout", "1s", "frame-deadline", "2s", "max-queued-bytes", 3));

        assertThat(StdioListenerSettings.from(section))
                .isEqualTo(new StdioListenerSettings(
                        Duration.ofSeconds(1),
                        ClientStreamLimits.DEFAULTS
                                .withFrameDeadline(Duration.ofSeconds(2))
                                .withMaxQueuedBytes(3)));
    }

    @Test
    void drainTimeoutOfZeroIsRejected() {
        assertThatThrownBy(() -> StdioListenerSettings.from(Settings.of(Map.of("drain-timeout", "0ms"))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'drain-timeout' is 0s but must be longer than zero");
    }
}
