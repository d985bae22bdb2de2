package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.CallFailedException;
import io.mcpbridge.failure.CallTimedOutException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.routing.Plugins;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.HeldTransport;
import io.mcpbridge.testkit.InMemoryTransport;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.Residue;
import io.mcpbridge.testkit.ScriptedServer;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Java programs type: one connection, or a bridge over many servers, in front of servers in this process. */
@Timeout(30)
class FrontDoorTest {
    private static final URI HERE = URI.create("memory:here");
    private static final Map<String, String> NO_ARGUMENTS = Map.of();

    private final ScriptedServer server = new ScriptedServer().on(Methods.INITIALIZE, HeldTransport.WELCOME);
    private final InMemoryTransportProvider provider = InMemoryTransportProvider.to(server);
    private final ConnectionOptions options =
            ConnectionOptions.DEFAULTS.withTransport(provider).withRetryPolicy("none");

    @Nested
    class OneConnection {
        @Test
        @DisplayName(
                "A2: the content, the error flag, the tool's name, the given correlation id and the duration come back")
        void returnsWhatTheToolReturned() throws InterruptedException {
            server.on(Methods.TOOLS_CALL, "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}],\"isError\":true}");
            try (var connection = Connection.to(HERE, options)) {
                var result = connection.callTool(
                        "echo", Map.of("text", "hi"), CallOptions.DEFAULTS.withCorrelationId("mine"));

                assertThat(result.text()).isEqualTo("hi");
                assertThat(result.isError()).isTrue();
                assertThat(result.toolName()).isEqualTo("echo");
                assertThat(result.correlationId()).isEqualTo("mine");
                assertThat(result.duration()).isPositive();
                assertThat(connection.uri()).isEqualTo(HERE);
            }
        }

        @Test
        @DisplayName("A2: a correlation id is minted where none is given")
        void mintsACorrelationIdWhereNoneIsGiven() throws InterruptedException {
            server.on(Methods.TOOLS_CALL, "{}");
            try (var connection = Connection.to(HERE, options)) {
                assertThat(connection.callTool("echo", NO_ARGUMENTS).correlationId())
                        .matches("[0-9a-f]{16}");
            }
        }

        @Test
        void tellsAnErrorOfTheServerAsAnException() throws InterruptedException {
            server.onRequest(Methods.TOOLS_CALL, request -> Response.error(request.id(), -32602, "Unknown tool: echo"));
            try (var connection = Connection.to(HERE, options)) {
                var failed = failure(() -> connection.callTool("echo", NO_ARGUMENTS));

                assertThat(failed).isInstanceOf(CallFailedException.class).hasMessageContaining("Unknown tool: echo");
                assertThat(failed.attempts()).isEqualTo(1);
                assertThat(failed.retryable()).isFalse();
            }
        }

        @Test
        @DisplayName("A4: a call's own time-out ends it, and it is cancelled on the wire")
        void timesOutByTheCallsOwnTimeAndCancelsOnTheWire() throws InterruptedException {
            try (var connection = Connection.to(HERE, options)) {
                var shortly = CallOptions.DEFAULTS.withTimeout(Duration.ofMillis(50));

                var failed = failure(() -> connection.callTool("echo", NO_ARGUMENTS, shortly));

                assertThat(failed)
                        .isInstanceOf(CallTimedOutException.class)
                        .hasMessageContaining("timed out after 50 ms");
                assertThat(failed.retryable()).isTrue();
                awaitCancel();
            }
        }

        @Test
        void takesTheTimeOutFromTheVariables() {
            assertThatThrownBy(() -> inEnvironment(Map.of("MCP_BRIDGE_TIMEOUT", "soon")))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("'soon'");
            assertThatThrownBy(() -> inEnvironment(Map.of("AMS_MCP_TIMEOUT", "5")))
                    .hasMessageContaining("legacy")
                    .hasMessageContaining("MCP_BRIDGE_TIMEOUT");
        }

        private void inEnvironment(Map<String, String> variables) throws InterruptedException {
            try (var environment = StandardEnvironment.open(variables)) {
                Connection.to(HERE, options.withEnvironment(environment.environment()))
                        .close();
            }
        }

        @Test
        void isRefusedWhereNoTransportServesTheScheme() {
            assertThatThrownBy(() -> Connection.to(URI.create("gopher://x"), options))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("'gopher'")
                    .hasMessageContaining("memory");
        }

        @Test
        void refusesAnOptionThatNobodyKnowsAndNamesTheNearest() {
            assertThatThrownBy(() -> Connection.to(HERE, options.with("probe-timeot", "1s")))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("'probe-timeot' is not a key here; did you mean 'probe-timeout'?");
        }

        @Test
        void namesTheArgumentThatIsNull() throws InterruptedException {
            try (var connection = Connection.to(HERE, options)) {
                assertThatNullPointerException()
                        .isThrownBy(() -> connection.callTool(nothing(), NO_ARGUMENTS))
                        .withMessage("the name of the tool must not be null");
                assertThatNullPointerException()
                        .isThrownBy(() -> connection.callTool("echo", nothing()))
                        .withMessageStartingWith("arguments must not be null");
                assertThatNullPointerException()
                        .isThrownBy(() -> connection.callToolAsync("echo", NO_ARGUMENTS, nothing()))
                        .withMessageStartingWith("options must not be null");
            }
        }

        /** What a program without checks of nullness may hand over. */
        @SuppressWarnings({"TypeParameterUnusedInFormals", "NullAway"})
        private static <T> T nothing() {
            return null;
        }

        @Test
        void namesTheArtifactWhereThePolicyIsMissing() {
            assertThatThrownBy(() -> Connection.to(HERE, options.withRetryPolicy("exponentiel")))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("'exponentiel'")
                    .hasMessageContaining("mcp-bridge-retry");
        }

        @Test
        @DisplayName("A1: connecting is tried once, and its failure goes to the caller")
        void connectsOnceAndLeavesNothingWhereNobodyListens() {
            var before = Residue.now();
            var nobody = InMemoryTransportProvider.of(InMemoryTransport::unreachable);

            assertThatThrownBy(() -> Connection.to(HERE, options.withTransport(nobody)))
                    .isInstanceOf(TransportException.class)
                    .hasMessageContaining("memory");

            before.assertNothingLeft();
        }

        @Test
        void logsItsSteps() throws InterruptedException {
            server.on(Methods.TOOLS_CALL, "{}");
            var log = new RecordingLogger();
            try (var mine = StandardEnvironment.open(Map.of())) {
                try (var connection = Connection.to(HERE, options.withEnvironment(logging(mine, log)))) {
                    connection.callTool("echo", NO_ARGUMENTS);
                }
            }

            assertThat(log.lines())
                    .containsExactly(
                            "[mcp-bridge] connecting to memory:here",
                            "[mcp-bridge] connected to memory:here",
                            "[mcp-bridge] callTool echo attempt 1/1");
        }

        private static Environment logging(StandardEnvironment mine, RecordingLogger log) {
            var environment = mine.environment();
            return Environment.with(environment.timekeeper(), environment.workers(), environment.launcher())
                    .variables(Map.of())
                    .logger(log)
                    .build();
        }

        @Test
        @DisplayName("A1: a single connection that was lost stays lost")
        void neverReconnectsByItself() throws InterruptedException {
            try (var connection = Connection.to(HERE, options)) {
                server.cut();
                Eventually.holds(
                        "the end",
                        () -> failure(() -> connection.callTool("echo", NO_ARGUMENTS))
                                .failure()
                                .message()
                                .contains("open another one"));
            }
        }

        @Test
        void tellsProgress() throws Exception {
            var heard = new CopyOnWriteArrayList<String>();
            try (var connection = Connection.to(HERE, options)) {
                var result = connection.callToolAsync("echo", NO_ARGUMENTS, CallOptions.DEFAULTS.withProgress(json -> {
                    heard.add(json);
                    throw new IllegalStateException("a listener's defect");
                }));
                var request = server.awaitRequest();
                var token = request.raw(Part.PROGRESS_TOKEN).orElseThrow();
                var params = "{\"progressToken\":" + token + ",\"progress\":1}";
                server.reply(request, Notification.of(Methods.PROGRESS, params));
                server.answer(request, "{}");

                result.get(10, TimeUnit.SECONDS);
                assertThat(heard).containsExactly(params);
            }
        }
    }

    @Nested
    class Withdrawing {
        @Test
        void anInterruptedCallerCancelsTheCall() throws InterruptedException {
            try (var connection = Connection.to(HERE, options)) {
                var ended = new CompletableFuture<Throwable>();
                var waiting = new Thread(() -> {
                    try {
                        connection.callTool("echo", NO_ARGUMENTS);
                    } catch (InterruptedException | RuntimeException thrown) {
                        ended.complete(thrown);
                    }
                });
                waiting.start();
                server.awaitRequest();

                waiting.interrupt();

                assertThat(ended.join()).isInstanceOf(InterruptedException.class);
                awaitCancel();
            }
        }

        @Test
        void aCancelledFutureCancelsTheCall() throws InterruptedException {
            try (var connection = Connection.to(HERE, options)) {
                var result = connection.callToolAsync("echo", NO_ARGUMENTS, CallOptions.DEFAULTS);
                server.awaitRequest();

                assertThat(result.cancel(true)).isTrue();

                assertThatThrownBy(result::join).isInstanceOf(CancellationException.class);
                awaitCancel();
            }
        }
    }

    @Nested
    class Closing {
        @Test
        void leavesNothingBehind() throws InterruptedException {
            var before = Residue.now();

            Connection.to(HERE, options).close();

            before.assertNothingLeft();
        }

        @Test
        @DisplayName("A8: closing twice is harmless, and a call after it fails at once with a clear error")
        void twiceIsHarmlessAndACallAfterItFailsAtOnce() throws InterruptedException {
            var connection = Connection.to(HERE, options);
            connection.close();
            connection.close();

            var failed = failure(() -> connection.callTool("echo", NO_ARGUMENTS));

            assertThat(failed).hasMessageContaining("is closed").hasMessageContaining("memory:here");
            assertThat(failed.retryable()).isFalse();
        }

        @Test
        void endsCallsUnderWay() throws Exception {
            var connection = Connection.to(HERE, options);
            var result = connection.callToolAsync("echo", NO_ARGUMENTS, CallOptions.DEFAULTS);
            server.awaitRequest();

            connection.close();

            assertThatThrownBy(() -> result.get(10, TimeUnit.SECONDS))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(CallException.class);
        }
    }

    @Nested
    class ManyServers {
        @Test
        @DisplayName("E1: a tool of a server is called, and the tools of a server are listed")
        void callsTheToolOfTheServer() throws InterruptedException {
            server.on(Methods.TOOLS_CALL, "{\"content\":[]}")
                    .on(Methods.TOOLS_LIST, "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}");
            try (var bridge = bridge("one", "two")) {
                assertThat(bridge.servers()).containsExactly("one", "two");
                assertThat(bridge.callTool("one", "echo", NO_ARGUMENTS).isError())
                        .isFalse();
                assertThat(bridge.listTools("two")).hasSize(1);
            }
        }

        @Test
        @DisplayName("E1: servers are added and removed at run time")
        void comeAndGo() throws InterruptedException {
            server.on(Methods.TOOLS_LIST, "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}");
            try (var bridge = bridge("one")) {
                bridge.listTools("one");
                assertThatThrownBy(() -> bridge.addServer(settings("one")))
                        .hasMessageContaining("a server 'one' already");
                assertThat(bridge.listTools("one")).hasSize(1);

                bridge.addServer(settings("two"));
                assertThat(bridge.removeServer("one")).isTrue();
                assertThat(bridge.removeServer("one")).isFalse();

                assertThat(bridge.servers()).containsExactly("two");
                assertThatThrownBy(() -> bridge.callTool("one", "echo", NO_ARGUMENTS))
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining("'one'")
                        .hasMessageContaining("two");
            }
        }

        @Test
        void areHealthyWhereTheyAnswerAPing() throws InterruptedException {
            server.on(Methods.PING, "{}");
            try (var bridge = bridge("one")) {
                var health = bridge.checkHealth("one");

                assertThat(bridge.checkAllHealth()).containsEntry("one", health);

                assertThat(health.isHealthy()).isTrue();
                assertThat(health.latency()).as("by a clock that stands still").isZero();
            }
        }

        @Test
        void reconnectWithTheNextCall() throws InterruptedException {
            server.on(Methods.TOOLS_CALL, "{}");
            try (var bridge = bridge("one")) {
                bridge.callTool("one", "echo", NO_ARGUMENTS);
                server.cut();
                Eventually.holds(
                        "the end of the session",
                        () -> bridge.status().get(0).error().contains("the peer ended"));

                assertThat(bridge.callTool("one", "echo", NO_ARGUMENTS).isError())
                        .isFalse();
            }
        }

        @Test
        void failAtOnceWhenTheBridgeIsClosed() {
            var bridge = bridge("one");
            bridge.close();
            bridge.close();

            var failed = failure(() -> bridge.callTool("one", "echo", NO_ARGUMENTS));

            assertThat(failed).hasMessageContaining("the bridge is closed");
            assertThat(failed.failure().code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        }

        @Test
        void ofTwoBridgesShareNothing() throws InterruptedException {
            var before = Residue.now();
            server.on(Methods.TOOLS_CALL, "{}");
            var one = bridge("same");
            try (var other = bridge("same")) {
                one.callTool("same", "echo", NO_ARGUMENTS);
                one.close();

                assertThat(other.callTool("same", "echo", NO_ARGUMENTS).isError())
                        .isFalse();
            }
            before.assertNothingLeft();
        }

        private Bridge bridge(String... names) {
            var bridge = Bridge.open(
                    BridgeConfiguration.parse("{\"mcpServers\":{}}", Path.of("."), Map.of()), environment(), plugins());
            for (var name : names) {
                bridge.addServer(settings(name));
            }
            return bridge;
        }

        private ServerSettings settings(String name) {
            return ServerSettings.of(name, "memory", Settings.of(Map.of("retry", "none")));
        }

        private Plugins plugins() {
            return new Plugins(
                    Providers.only(TransportProvider.class, List.of(provider)),
                    Providers.of(RetryPolicyProvider.class));
        }

        private Environment environment() {
            return Environment.with(new FakeTimekeeper(), Runnable::run, Fakes.NO_LAUNCHER)
                    .variables(Map.of())
                    .logger(new RecordingLogger())
                    .build();
        }
    }

    private void awaitCancel() {
        Eventually.holds(
                "the cancellation",
                () -> server.received().stream()
                        .anyMatch(message -> message instanceof Notification note
                                && note.method().equals(Methods.CANCELLED)));
    }

    private interface Waiting {
        Object call() throws InterruptedException;
    }

    private static CallException failure(Waiting waiting) {
        try {
            throw new AssertionError("should have failed, but returned " + waiting.call());
        } catch (CallException failed) {
            return failed;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
