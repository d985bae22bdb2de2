package io.mcpbridge.frontdoor;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.CallOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.InMemoryTransport;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.tool.ToolResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the contract says of the tools of a bridge that checks calls, as it does by default: rows C1 and C2. */
@Timeout(60)
class CheckedCallsContractTest {
    private static final String ADD =
            "{\"tools\":[{\"name\":\"add\",\"inputSchema\":{\"type\":\"object\",\"required\":[\"a\"]},"
                    + "\"outputSchema\":{\"type\":\"object\"}}]}";

    private final FrontDoorBench bench = new FrontDoorBench();

    CheckedCallsContractTest() {
        bench.server.on(Methods.TOOLS_LIST, ADD);
        bench.server.on(Methods.TOOLS_CALL, "{\"content\":[],\"structuredContent\":{}}");
        bench.server.on(Methods.PING, "{}");
    }

    @Test
    @DisplayName("C1: a server is listed as it is connected")
    void serverIsListedAsItIsConnected() throws Exception {
        try (var bridge = open(bench.checking())) {
            assertThat(bridge.checkHealth("sums").isHealthy()).isTrue();

            Eventually.holds("the list", () -> asked(Methods.TOOLS_LIST) == 1);
            assertThat(bridge.toolSchema("sums", "add")).isPresent();
            assertThat(bridge.toolSchema("sums", "none")).isEmpty();
        }
    }

    @Test
    @DisplayName("C1: the schema of a tool is known before the first call")
    void schemaIsKnownBeforeTheFirstCall() throws Exception {
        try (var bridge = open(bench.checking().withoutSchemaCheck())) {
            assertThat(bridge.toolSchema("sums", "add")).isPresent();
        }
    }

    @Test
    @DisplayName("C2: a call fails with the failure of the list if the server cannot list")
    void callFailsIfTheServerCannotList() throws Exception {
        bench.server.onRequest(Methods.TOOLS_LIST, request -> Response.error(request.id(), -32601, "no lists here"));

        try (var bridge = open(bench.checking())) {
            var failed = FrontDoorBench.failure(CallException.class, call(bridge, Map.of("a", 1)));

            assertThat(failed)
                    .hasMessageContaining("server 'sums' cannot list its tools")
                    .hasMessageContaining("no lists here")
                    .hasCauseInstanceOf(IOException.class);
            assertThat(failed.delivery()).isEqualTo(Delivery.NOT_SENT);
        }
        assertThat(asked(Methods.TOOLS_CALL)).isZero();
        assertThat(bench.log.lines())
                .anyMatch(line -> line.startsWith("[mcp-bridge] Tool call failed and is not tried again: sums.add: "));
    }

    @Test
    @DisplayName("C2: a call of a server that lists at a later attempt is checked then")
    void callIsCheckedAtALaterAttempt() throws Exception {
        var lists = new AtomicInteger();
        bench.server.onRequest(
                Methods.TOOLS_LIST,
                request -> lists.incrementAndGet() == 1
                        ? Response.error(request.id(), -32603, "not yet")
                        : Response.result(request.id(), ADD));

        try (var bridge = open(bench.checking())) {
            var call = call(bridge, Map.of());
            passUntil(2, Duration.ofSeconds(1));
            passUntil(3, Duration.ofSeconds(2));

            assertThat(FrontDoorBench.failure(CallException.class, call).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
            assertThat(asked(Methods.TOOLS_CALL)).isZero();
        }
    }

    @Test
    @DisplayName("A5, C2: a call of a server that is reached at a later attempt is checked then")
    void callOfAServerThatIsReachedLaterIsChecked() throws Exception {
        var opened = new AtomicInteger();
        // The first one only checks the settings.
        var transports = InMemoryTransportProvider.of(() ->
                opened.incrementAndGet() == 2 ? InMemoryTransport.unreachable() : InMemoryTransport.to(bench.server));
        var options = bench.checking().withTransports(Providers.only(TransportProvider.class, List.of(transports)));

        try (var bridge = open(options)) {
            var call = call(bridge, Map.of());
            passUntil(2, Duration.ofSeconds(1));

            assertThat(FrontDoorBench.failure(CallException.class, call).code()).isEqualTo(ErrorCode.INVALID_PARAMS);
            assertThat(bridge.callTool("sums", "add", Map.of("a", 1)).isError()).isFalse();
        }
        assertThat(asked(Methods.TOOLS_CALL)).isEqualTo(1);
    }

    private static Bridge open(BridgeOptions options) {
        var json = "{\"mcpServers\": {\"sums\": {\"type\": \"memory\"}}}";
        return Bridge.open(BridgeConfiguration.parse(json, Path.of(""), Map.of()), options);
    }

    private static CompletableFuture<ToolResult> call(Bridge bridge, Map<String, ?> arguments) {
        return bridge.callToolAsync("sums", "add", arguments, CallOptions.DEFAULTS);
    }

    /** Passes the pause before an attempt. */
    private void passUntil(int attempt, Duration pause) {
        Eventually.holds(
                "the pause",
                () -> bench.log.lines().stream().anyMatch(line -> line.contains("(attempt %d/3)".formatted(attempt))));
        bench.time.advance(pause);
    }

    private long asked(String method) {
        return bench.server.received().stream()
                .filter(message ->
                        message instanceof Request request && request.method().equals(method))
                .count();
    }
}
