package io.mcpbridge.frontdoor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.CallTimedOutException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.InMemoryTransport;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the contract says of a connection to one server, with its defaults: rows A1 to A9. */
@Timeout(60)
class OneServerContractTest {
    private final FrontDoorBench bench = new FrontDoorBench();

    @Test
    @DisplayName("A1: connecting is not retried, though calls would be")
    void connectIsNotRetried() {
        var unreachable = InMemoryTransportProvider.of(InMemoryTransport::unreachable);
        var options = bench.connecting(Map.of()).withTransport(unreachable);

        assertThatThrownBy(() -> Connection.to(FrontDoorBench.HERE, options)).hasMessageContaining("memory");

        assertThat(bench.time.pendingAlarms()).isZero();
        assertThat(bench.log.lines()).noneMatch(line -> line.contains("retrying"));
    }

    @Test
    @DisplayName("C1, C2: connecting lists the tools; a call to an unlisted tool is not sent, a result is checked")
    void toolsAreListedAndCallsAreChecked() throws Exception {
        bench.server.on(
                Methods.TOOLS_LIST,
                "{\"tools\":[{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\",\"required\":[\"a\"]},"
                        + "\"outputSchema\":{\"type\":\"object\",\"required\":[\"sum\"]}}]}");
        bench.server.on(Methods.TOOLS_CALL, "{\"content\":[],\"structuredContent\":{}}");

        try (var connection = Connection.to(FrontDoorBench.HERE, bench.listing())) {
            assertThat(connection.toolSchema("add")).isPresent();
            assertThatThrownBy(() -> connection.callTool("subtract", Map.of())).hasMessageContaining("subtract");
            assertThatThrownBy(() -> connection.callTool("add", Map.of())).hasMessageContaining("'a'");
            assertThat(attempts()).isZero();
            assertThatThrownBy(() -> connection.callTool("add", Map.of("a", 1))).hasMessageContaining("sum");
        }
        assertThat(bench.log.lines().stream().filter(line -> line.contains("callTool")))
                .hasSize(4)
                .contains("[mcp-bridge] callTool subtract non-retryable error: Unknown tool: subtract")
                .anyMatch(line ->
                        line.startsWith("[mcp-bridge] callTool add non-retryable error: the arguments of 'add'"))
                .contains("[mcp-bridge] callTool add attempt 1/1")
                .anyMatch(
                        line -> line.startsWith("[mcp-bridge] callTool add non-retryable error: server 'here' broke"));
    }

    @Test
    @DisplayName("A8: a call after close fails at once and is not retried")
    void callAfterCloseFailsAtOnce() throws Exception {
        bench.server.on(Methods.TOOLS_LIST, "{\"tools\":[{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\"}}]}");
        var connection = Connection.to(FrontDoorBench.HERE, bench.listing());
        connection.close();
        connection.close();

        var failed = catchThrowableOfType(CallException.class, () -> connection.callTool("add", Map.of()));

        assertThat(failed).hasMessageEndingWith("is closed; open another one");
        assertThat(failed.retryable()).isFalse();
        assertThat(connection.callToolAsync("add", Map.of())).failsWithin(Duration.ofSeconds(30));
        assertThat(attempts()).isZero();
    }

    @Test
    @DisplayName("C1: a server whose tools cannot be listed is not connected")
    void serverThatCannotListItsToolsIsNotConnected() {
        bench.server.onRequest(Methods.TOOLS_LIST, request -> Response.error(request.id(), -32603, "no list today"));

        assertThatThrownBy(() -> Connection.to(FrontDoorBench.HERE, bench.listing()))
                .isInstanceOf(TransportException.class)
                .hasMessageContaining("no list today");
    }

    @Test
    @DisplayName("A7: the cause of a failure is the error of the server, or the timeout")
    void failureHasTheServerErrorOrTimeoutAsItsCause() throws Exception {
        try (var connection = connect(Map.of())) {
            bench.server.onRequest(
                    Methods.TOOLS_CALL, request -> Response.error(request.id(), -32602, "no such number"));
            assertThatThrownBy(() -> connection.callTool("echo", Map.of()))
                    .hasCauseInstanceOf(IOException.class)
                    .cause()
                    .hasMessage("JSON-RPC error -32602: no such number");
        }
    }

    @Test
    @DisplayName("A2: a result whose isError is true is a result and is not retried")
    void errorResultIsNotRetried() throws Exception {
        bench.server.on(Methods.TOOLS_CALL, "{\"content\":[],\"isError\":true}");

        try (var connection = connect(Map.of())) {
            assertThat(connection.callTool("echo", Map.of()).isError()).isTrue();
        }

        assertThat(attempts()).isEqualTo(1);
    }

    @Test
    @DisplayName("A3: transport, variables, clock, log and randomness can be replaced")
    void environmentCanBeReplaced() throws Exception {
        bench.server.on(Methods.TOOLS_CALL, "{}");
        var seen = new CompletableFuture<Duration>();

        try (var connection = connect(Map.of("MCP_BRIDGE_TIMEOUT", "1234"))) {
            seen.complete(connection.callTool("echo", Map.of()).duration());
        }

        assertThat(bench.transports.made()).isNotEmpty();
        assertThat(bench.log.lines()).contains("[mcp-bridge] connected to memory:here");
        assertThat(seen.join()).as("by a clock that stands still").isZero();
    }

    @ParameterizedTest(name = "{0} and {1}: {2} ms")
    @CsvSource({
        "'', '', 30000",
        "'', 1500, 1500",
        "700, '', 700",
        "700, 1500, 700",
    })
    @DisplayName("A4: the timeout is MCP_BRIDGE_TIMEOUT, else COLIBRI_MCP_TIMEOUT, else 30000 ms")
    void timeoutIsReadFromTheVariables(String ours, String older, long millis) throws Exception {
        var variables = new HashMap<String, String>();
        if (!ours.isEmpty()) {
            variables.put("MCP_BRIDGE_TIMEOUT", ours);
        }
        if (!older.isEmpty()) {
            variables.put("COLIBRI_MCP_TIMEOUT", older);
        }
        try (var connection = connect(variables)) {
            timesOutAfter(millis, connection, CallOptions.DEFAULTS);
        }
    }

    @Test
    @DisplayName("A4: the timeout of the connection overrides the variables, and that of the call overrides both")
    void mostSpecificTimeoutApplies() throws Exception {
        var options = bench.connecting(Map.of("MCP_BRIDGE_TIMEOUT", "700")).withTimeout(Duration.ofMillis(600));
        try (var connection = Connection.to(FrontDoorBench.HERE, options)) {
            timesOutAfter(600, connection, CallOptions.DEFAULTS);
            timesOutAfter(50, connection, CallOptions.DEFAULTS.withTimeout(Duration.ofMillis(50)));
        }
    }

    private void timesOutAfter(long millis, Connection connection, CallOptions options) {
        var cancelled = bench.cancellations();
        var result = connection.callToolAsync("echo", Map.of(), options.withMaxAttempts(1));
        var unused = bench.timeOut(Duration.ofMillis(millis - 1));
        assertThat(FrontDoorBench.isPending(result)).isTrue();

        bench.time.advance(Duration.ofMillis(1));

        assertThat(FrontDoorBench.failure(CallTimedOutException.class, result))
                .hasMessageContaining("timed out after " + millis + " ms")
                .hasCauseInstanceOf(TimeoutException.class);
        Eventually.holds("the cancellation", () -> bench.cancellations() == cancelled + 1);
    }

    @Test
    @DisplayName("A4: the timeout applies to each attempt")
    void timeoutAppliesToEachAttempt() throws Exception {
        try (var connection = connect(Map.of("MCP_BRIDGE_TIMEOUT", "700"))) {
            var result = connection.callToolAsync("echo", Map.of(), CallOptions.DEFAULTS.withMaxAttempts(2));
            var unused = bench.timeOut(Duration.ofMillis(700));
            bench.pass(Duration.ofSeconds(1));
            var second = bench.server.awaitRequest();
            bench.time.advance(Duration.ofMillis(699));
            bench.server.answer(second, "{}");

            assertThat(result.get(10, TimeUnit.SECONDS).isError()).isFalse();
        }
    }

    @Test
    @DisplayName("A4: the timeout applies to the handshake")
    void handshakeTimesOut() throws Exception {
        var silent = new FrontDoorBench();
        silent.server.onRequest(Methods.INITIALIZE, request -> Notification.of("x/late", "{}"));
        var options = silent.connecting(Map.of("MCP_BRIDGE_TIMEOUT", "700"));
        var failed = CompletableFuture.supplyAsync(() ->
                catchThrowableOfType(TransportException.class, () -> Connection.to(FrontDoorBench.HERE, options)));

        Eventually.holds("the handshake", () -> silent.server.received().size() >= 2);
        silent.time.advance(Duration.ofMillis(700));

        assertThat(failed.get(30, TimeUnit.SECONDS))
                .hasMessageContaining("the handshake with server 'here' did not end within 700 ms; check");
    }

    @ParameterizedTest
    @ValueSource(strings = {"soon", "0", "-5", "1.5", ""})
    @DisplayName("A4: a timeout that is not a positive integer is rejected and quoted")
    void malformedTimeoutIsQuoted(String value) {
        assertThatThrownBy(() -> connect(Map.of("COLIBRI_MCP_TIMEOUT", value)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'COLIBRI_MCP_TIMEOUT' is '" + value + "'");
    }

    @Test
    @DisplayName("A4: a variable of the older family is rejected as legacy, and the right one is named")
    void legacyVariableIsRejected() {
        assertThatThrownBy(() -> connect(Map.of("AMS_MCP_TIMEOUT", "5")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("legacy AMS_MCP_TIMEOUT")
                .hasMessageContaining("'MCP_BRIDGE_TIMEOUT'");
    }

    @Test
    @DisplayName("A5, A7, A9: a call is tried 3 times with delays of 1 s and 2 s, then fails with one typed exception")
    void threeAttemptsAreMadeWithGrowingDelays() throws Exception {
        refusing(-32603, "not now");

        try (var connection = connect(Map.of())) {
            var result = connection.callToolAsync("echo", Map.of(), CallOptions.DEFAULTS);
            bench.pass(Duration.ofSeconds(1));
            bench.pass(Duration.ofSeconds(2));

            var failed = FrontDoorBench.failure(CallException.class, result);
            assertThat(failed.attempts()).isEqualTo(3);
            assertThat(failed.retryable()).isTrue();
            assertThat(failed).hasMessageContaining("after all retries");
            assertThat(failed.getCause())
                    .isExactlyInstanceOf(CallException.class)
                    .hasMessageContaining("not now");
        }
        var why = "(error: the server answered with error -32603: not now)";
        assertThat(bench.log.lines())
                .containsExactly(
                        "[mcp-bridge] connecting to memory:here",
                        "[mcp-bridge] connected to memory:here",
                        "[mcp-bridge] callTool echo attempt 1/3",
                        "[mcp-bridge] retrying in 1000ms " + why,
                        "[mcp-bridge] callTool echo attempt 2/3",
                        "[mcp-bridge] retrying in 2000ms " + why,
                        "[mcp-bridge] callTool echo attempt 3/3",
                        "[mcp-bridge] callTool echo failed after 3 attempt(s)");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    @DisplayName("A5: the number of attempts can be set per call")
    void attemptsCanBeSetPerCall(int most) throws Exception {
        refusing(-32000, "not now");

        try (var connection = connect(Map.of())) {
            var options = CallOptions.DEFAULTS.withMaxAttempts(most).withRetryDelay(Duration.ofMillis(10));
            var result = connection.callToolAsync("echo", Map.of(), options);
            for (int i = 1; i < most; i++) {
                bench.pass(Duration.ofMillis(10L << (i - 1)));
            }

            assertThat(FrontDoorBench.failure(CallException.class, result).attempts())
                    .isEqualTo(most);
        }
    }

    @ParameterizedTest
    @CsvSource({"-32603, 2", "-32001, 2", "-32000, 2", "-32600, 1", "-32601, 1", "-32602, 1"})
    @DisplayName("A6, A7: the server's error decides whether a call is repeated")
    void serverErrorDecidesWhetherACallIsRetried(int code, int tried) throws Exception {
        refusing(code, "no");

        try (var connection = connect(Map.of())) {
            var options = CallOptions.DEFAULTS.withMaxAttempts(2).withRetryDelay(Duration.ZERO);
            var result = connection.callToolAsync("echo", Map.of(), options);
            if (tried > 1) {
                bench.pass(Duration.ZERO);
            }

            var failed = FrontDoorBench.failure(CallException.class, result);
            assertThat(failed.attempts()).isEqualTo(tried);
            assertThat(failed.retryable()).isEqualTo(tried > 1);
        }
        assertThat(attempts()).isEqualTo(tried);
    }

    @Test
    @DisplayName("A9: an error that is not retried is logged as such")
    void errorThatIsNotRetriedIsLogged() throws Exception {
        refusing(-32602, "Unknown tool: echo");

        try (var connection = connect(Map.of())) {
            var result = connection.callToolAsync("echo", Map.of(), CallOptions.DEFAULTS);
            assertThat(FrontDoorBench.failure(CallException.class, result).attempts())
                    .isEqualTo(1);
        }

        assertThat(bench.log.lines())
                .endsWith(
                        "[mcp-bridge] callTool echo attempt 1/3",
                        "[mcp-bridge] callTool echo non-retryable error: the server answered with error -32602: Unknown"
                                + " tool: echo");
    }

    private Connection connect(Map<String, String> variables) throws InterruptedException {
        return Connection.to(FrontDoorBench.HERE, bench.connecting(variables));
    }

    private void refusing(int code, String words) {
        bench.server.onRequest(Methods.TOOLS_CALL, request -> Response.error(request.id(), code, words));
    }

    private long attempts() {
        return bench.server.received().stream()
                .filter(message -> message.json().contains(Methods.TOOLS_CALL))
                .count();
    }
}
