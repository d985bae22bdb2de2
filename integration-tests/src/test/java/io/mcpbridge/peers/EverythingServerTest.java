package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Progress;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The official {@code server-everything} behind the daemon, over standard streams and over HTTP of both kinds. */
@RequiresPeers
@Timeout(60)
class EverythingServerTest {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon()
            .server("stdio", NodePeers::everything)
            .server("http", HttpServer::everything)
            .server("events", () -> HttpServer.everythingOverSse("sse"))
            .server("fallback", () -> HttpServer.everythingOverSse("http"));

    @SuppressWarnings("NullAway.Init")
    private Connection client;

    @BeforeEach
    void connect() throws InterruptedException {
        client = DAEMON.connect();
    }

    @AfterEach
    void close() {
        client.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http", "events", "fallback"})
    void toolsAreListedUnderTheNameOfTheServer(String server) throws InterruptedException {
        assertThat(client.listTools())
                .extracting(ToolDefinition::name)
                .contains(
                        server + "__echo",
                        server + "__get-sum",
                        server + "__get-tiny-image",
                        server + "__get-structured-content",
                        server + "__trigger-long-running-operation");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http", "events", "fallback"})
    void contentOfEveryKindArrives(String server) throws InterruptedException {
        var echo = client.callTool(server + "__echo", Map.of("message", "grüße 🌉"));
        var sum = client.callTool(server + "__get-sum", Map.of("a", 2, "b", 40));
        var image = client.callTool(server + "__get-tiny-image", Map.of());
        var weather = client.callTool(server + "__get-structured-content", Map.of("location", "Chicago"));

        assertThat(echo.blocks()).containsExactly(new Content.Text("Echo: grüße 🌉"));
        assertThat(sum.blocks()).containsExactly(new Content.Text("The sum of 2 and 40 is 42."));
        assertThat(image.blocks().get(1))
                .isInstanceOfSatisfying(
                        Content.Image.class,
                        picture -> assertThat(picture.mimeType()).isEqualTo("image/png"));
        assertThat(weather.json().text()).contains("\"structuredContent\":{\"temperature\":36,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http", "events", "fallback"})
    void invalidArgumentsAreAToolError(String server) throws InterruptedException {
        var result = client.callTool(server + "__get-sum", Map.of("a", "two", "b", 40));

        assertThat(result.isError()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http", "events", "fallback"})
    void progressArrivesInOrder(String server) throws InterruptedException {
        var heard = new CopyOnWriteArrayList<Progress>();

        var result = client.callTool(
                server + "__trigger-long-running-operation",
                Map.of("duration", 0.2, "steps", 4),
                CallOptions.DEFAULTS.withProgress(heard::add));

        assertThat(result.blocks())
                .containsExactly(
                        new Content.Text("Long running operation completed. Duration: 0.2 seconds, Steps: 4."));
        assertThat(heard).hasSize(4);
        for (int step = 1; step <= 4; step++) {
            assertThat(heard.get(step - 1).json().text()).contains("\"progress\":" + step, "\"total\":4");
            assertThat(heard.get(step - 1).progress()).isEqualTo(step);
            assertThat(heard.get(step - 1).total()).hasValue(4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http", "events", "fallback"})
    void cancelledCallIsRemovedAndTheNextOneWorks(String server) throws InterruptedException {
        var heard = new CopyOnWriteArrayList<Progress>();
        var call = client.callToolAsync(
                server + "__trigger-long-running-operation",
                Map.of("duration", 50, "steps", 500),
                CallOptions.DEFAULTS.withProgress(heard::add));
        Eventually.holds("progress", () -> !heard.isEmpty());

        call.cancel(true);

        Eventually.holds(
                "the daemon to forget the call", () -> DAEMON.running().health().callsInFlight() == 0);
        assertThat(client.callTool(server + "__echo", Map.of("message", "next")).isError())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"stdio", "http", "events", "fallback"})
    void callTimesOut(String server) {
        var options = CallOptions.DEFAULTS.withTimeout(Duration.ofMillis(300));

        assertThatThrownBy(() -> client.callTool(
                        server + "__trigger-long-running-operation", Map.of("duration", 50, "steps", 1), options))
                .isInstanceOf(CallException.class)
                .hasMessageContaining("timed out");
        Eventually.holds(
                "the daemon to forget the call", () -> DAEMON.running().health().callsInFlight() == 0);
    }
}
