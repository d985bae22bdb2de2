package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.CallTimedOutException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.InMemoryTransport;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.Progress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What Java programs type for one connection, to a server in this process. */
@Timeout(60)
class FrontDoorTest {
    private final FrontDoor door = new FrontDoor();

    @Test
    @DisplayName(
            "A2: the content, the error flag, the tool's name, the given correlation id and the duration are in the result")
    void resultHasContentErrorFlagToolNameAndCorrelationId() throws InterruptedException {
        door.server.on(Methods.TOOLS_CALL, "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}],\"isError\":true}");
        try (var connection = Connection.to(FrontDoor.HERE, door.options)) {
            var result =
                    connection.callTool("echo", Map.of("text", "hi"), CallOptions.DEFAULTS.withCorrelationId("mine"));

            assertThat(result.text()).isEqualTo("hi");
            assertThat(result.isError()).isTrue();
            assertThat(result.toolName()).isEqualTo("echo");
            assertThat(result.correlationId()).isEqualTo("mine");
            assertThat(result.duration()).isPositive();
            assertThat(connection.uri()).isEqualTo(FrontDoor.HERE);
        }
    }

    @Test
    @DisplayName("A2: a correlation id is generated where none is given")
    void correlationIdIsGeneratedByDefault() throws InterruptedException {
        door.server.on(Methods.TOOLS_CALL, "{}");
        try (var connection = Connection.to(FrontDoor.HERE, door.options)) {
            assertThat(connection.callTool("echo", FrontDoor.NO_ARGUMENTS).correlationId())
                    .matches("[0-9a-f]{16}");
        }
    }

    @Test
    void serverErrorIsThrownAsACallException() throws InterruptedException {
        door.server.onRequest(
                Methods.TOOLS_CALL, request -> Response.error(request.id(), -32602, "Unknown tool: echo"));
        try (var connection = Connection.to(FrontDoor.HERE, door.options)) {
            var failed = FrontDoor.failure(() -> connection.callTool("echo", FrontDoor.NO_ARGUMENTS));

            assertThat(failed).isExactlyInstanceOf(CallException.class).hasMessageContaining("Unknown tool: echo");
            assertThat(failed.attempts()).isEqualTo(1);
            assertThat(failed.retryable()).isFalse();
        }
    }

    @Test
    @DisplayName("C9: a closed connection has no tools any more")
    void closedConnectionHasNoTools() throws InterruptedException {
        door.server.on(Methods.TOOLS_LIST, "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}");
        var connection = Connection.to(FrontDoor.HERE, door.options);
        assertThat(connection.listTools()).hasSize(1);
        assertThat(connection.toolSchema("echo")).isPresent();

        connection.close();

        var message = "is closed; open another one";
        assertThat(FrontDoor.failure(connection::listTools)).hasMessageContaining(message);
        assertThat(FrontDoor.failure(() -> connection.toolSchema("echo"))).hasMessageContaining(message);
    }

    @Test
    void retrySettingsCanBeSetPerCall() throws InterruptedException {
        door.server.on(Methods.TOOLS_CALL, "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}");
        var own = CallOptions.DEFAULTS
                .withMaxAttempts(1)
                .withRetryDelay(Duration.ZERO)
                .withBackoffMultiplier(1);
        try (var connection = Connection.to(FrontDoor.HERE, door.options)) {
            assertThat(connection.callTool("echo", FrontDoor.NO_ARGUMENTS, own).text())
                    .isEqualTo("hi");
        }
    }

    @Test
    @DisplayName("A4: a call's own timeout ends it, and it is cancelled on the wire")
    void timeoutOfACallEndsItAndIsCancelledOnTheWire() throws InterruptedException {
        try (var connection = Connection.to(FrontDoor.HERE, door.options)) {
            var shortly = CallOptions.DEFAULTS.withTimeout(Duration.ofMillis(1_500));

            var failed = FrontDoor.failure(() -> connection.callTool("echo", FrontDoor.NO_ARGUMENTS, shortly));

            assertThat(failed)
                    .isInstanceOf(CallTimedOutException.class)
                    .hasMessageContaining("timed out after 1500 ms");
            assertThat(failed.retryable()).isTrue();
            door.awaitCancel();
        }
    }

    @Test
    void timeoutIsReadFromEnvironmentVariables() {
        assertThatThrownBy(() -> inEnvironment(Map.of("MCP_BRIDGE_TIMEOUT", "soon")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'soon'");
        assertThatThrownBy(() -> inEnvironment(Map.of("AMS_MCP_TIMEOUT", "5")))
                .hasMessageContaining("legacy")
                .hasMessageContaining("MCP_BRIDGE_TIMEOUT");
    }

    private void inEnvironment(Map<String, String> variables) throws InterruptedException {
        try (var environment = StandardEnvironment.open(variables)) {
            Connection.to(FrontDoor.HERE, door.options.withEnvironment(environment.environment()))
                    .close();
        }
    }

    @Test
    void unknownSchemeIsRejected() {
        assertThatThrownBy(() -> Connection.to(URI.create("gopher://x"), door.options))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'gopher'")
                .hasMessageContaining("memory");
    }

    @Test
    void unknownOptionIsRejectedWithTheNearestName() {
        assertThatThrownBy(() -> Connection.to(FrontDoor.HERE, door.options.with("discovery-timeot", "1s")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("'discovery-timeot' is not a key here; did you mean 'discovery-timeout'?");
    }

    @Test
    void nullArgumentIsNamed() throws InterruptedException {
        try (var connection = Connection.to(FrontDoor.HERE, door.options)) {
            assertThatNullPointerException()
                    .isThrownBy(() -> connection.callTool(nothing(), FrontDoor.NO_ARGUMENTS))
                    .withMessage("the name of the tool must not be null");
            assertThatNullPointerException()
                    .isThrownBy(() -> connection.callTool("echo", nothing()))
                    .withMessageStartingWith("arguments must not be null");
            assertThatNullPointerException()
                    .isThrownBy(() -> connection.callToolAsync("echo", FrontDoor.NO_ARGUMENTS, nothing()))
                    .withMessageStartingWith("options must not be null");
        }
    }

    /** What a program without checks of nullness may hand over. */
    @SuppressWarnings({"TypeParameterUnusedInFormals", "NullAway"})
    private static <T> T nothing() {
        return null;
    }

    @Test
    void missingRetryPolicyIsReportedWithItsArtifact() {
        assertThatThrownBy(() -> Connection.to(FrontDoor.HERE, door.options.withRetryPolicy("exponentiel")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'exponentiel'")
                .hasMessageContaining("mcp-bridge-retry");
    }

    @Test
    @DisplayName("A1: connecting is tried once, and its failure is thrown to the caller")
    void failedConnectIsNotRetriedAndLeavesNoResources() {
        var before = LeakCheck.now();
        var unreachable = InMemoryTransportProvider.of(InMemoryTransport::unreachable);

        assertThatThrownBy(() -> Connection.to(FrontDoor.HERE, door.options.withTransport(unreachable)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("memory");

        before.assertNothingLeft();
    }

    @Test
    void transportWithAMissingClassFailsTheConnectionAtOnce() {
        var before = LeakCheck.now();
        var lacking = new NoClassDefFoundError("com/example/Missing");
        var provider = InMemoryTransportProvider.of(() -> new LackingTransport(lacking));

        assertThatThrownBy(() -> Connection.to(FrontDoor.HERE, door.options.withTransport(provider)))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("com/example/Missing")
                .hasCause(lacking);

        before.assertNothingLeft();
    }

    @Test
    void providerWithAMissingClassLeavesNoResources() {
        var before = LeakCheck.now();
        var provider = InMemoryTransportProvider.of(() -> {
            throw new NoClassDefFoundError("com/example/Missing");
        });

        assertThatThrownBy(() -> Connection.to(FrontDoor.HERE, door.options.withTransport(provider)))
                .isInstanceOf(NoClassDefFoundError.class);

        before.assertNothingLeft();
    }

    /** A transport whose classes cannot be linked. */
    private record LackingTransport(LinkageError error) implements Transport {

        @Override
        public void open(Receiver receiver, Deadline deadline) {
            throw error;
        }

        @Override
        public void send(Outgoing out) {
            throw error;
        }

        @Override
        public boolean abandon(Outgoing out, String reason) {
            throw error;
        }

        @Override
        public TransportTraits traits() {
            return new TransportTraits(
                    TransportTraits.Shape.SHARED_STREAM, "memory", "memory:here", OptionalLong.empty());
        }

        @Override
        public void close() {}
    }

    @Test
    void connectAndCallAreLogged() throws InterruptedException {
        door.server.on(Methods.TOOLS_CALL, "{}");
        var log = new RecordingLogger();
        try (var mine = StandardEnvironment.open(Map.of())) {
            try (var connection = Connection.to(FrontDoor.HERE, door.options.withEnvironment(logging(mine, log)))) {
                connection.callTool("echo", FrontDoor.NO_ARGUMENTS);
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
        return Environment.of(environment.timekeeper(), environment.workers(), environment.launcher())
                .withVariables(Map.of())
                .withLogger(log);
    }

    @Test
    @DisplayName("A1: a lost single connection is not reopened")
    void lostConnectionIsNotReopened() throws InterruptedException {
        try (var connection = Connection.to(FrontDoor.HERE, door.options)) {
            door.server.cut();
            Eventually.holds(
                    "the end",
                    () -> FrontDoor.failure(() -> connection.callTool("echo", FrontDoor.NO_ARGUMENTS))
                            .failure()
                            .message()
                            .contains("open another one"));
        }
    }

    @Test
    void progressReachesTheListenerOfTheCall() throws Exception {
        var heard = new CopyOnWriteArrayList<Progress>();
        var options = CallOptions.DEFAULTS.withProgress(progress -> {
            heard.add(progress);
            throw new IllegalStateException("a listener's defect");
        });
        try (var connection = Connection.to(FrontDoor.HERE, door.options)) {
            var result = connection.callToolAsync("echo", FrontDoor.NO_ARGUMENTS, options);
            var request = door.server.awaitRequest();
            var token = request.raw(MessageField.PROGRESS_TOKEN).orElseThrow();
            var params = "{\"progressToken\":" + token + ",\"progress\":1}";
            door.server.reply(request, Notification.of(Methods.PROGRESS, params));
            door.server.answer(request, "{}");

            result.get(30, TimeUnit.SECONDS);
            assertThat(heard).containsExactly(new Progress(Json.parse(params)));
            assertThat(heard.get(0).progress()).isEqualTo(1);
        }
    }
}
