package io.mcpbridge.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.faulty.FaultScript;
import io.mcpbridge.testkit.faulty.FaultyServer;
import io.mcpbridge.testkit.faulty.FaultyServerMain;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

/** Unchanged clients of the SDK over a bridge, in front of faulty servers. */
@Timeout(120)
class BridgeTransportsTest {
    private static final URI NOWHERE = URI.create("http://127.0.0.1:1/mcp");

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(Era.class)
    void clientCallsAServerOverHttp(Era era) {
        try (var server = FaultyServer.overHttp(era, FaultScript.NONE);
                var bridge = Bridge.builder().http("faulty", server.uri()).open()) {
            assertAllThreeWays(bridge, server.uri());
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void clientCallsAServerOnAUnixSocket(Era era) {
        var socket = folder.resolve("s");
        try (var server = FaultyServer.overUnix(socket, era, FaultScript.NONE);
                var bridge = Bridge.builder().unix("faulty", socket).open()) {
            assertAllThreeWays(bridge, server.uri());
        }
    }

    private static void assertAllThreeWays(Bridge bridge, URI uri) {
        assertEchoes(BridgeTransports.all(bridge), "faulty__echo");
        assertEchoes(BridgeTransports.of(bridge, "faulty"), "echo");
        assertEchoes(BridgeTransports.to(uri), "echo");
    }

    private static void assertEchoes(McpClientTransport transport, String tool) {
        try (var client = client(transport)) {
            assertThat(client.initialize().protocolVersion()).isEqualTo("2025-11-25");
            assertThat(client.listTools().tools()).extracting(Tool::name).contains(tool);
            assertThat(text(call(client, tool, Map.of("text", "hi")))).isEqualTo("hi");
        }
    }

    @Test
    void sessionSurvivesAProcessThatCrashesAtEveryThirdCall() {
        var command = FaultyServerMain.command("--at", "on-request:3=exit:7", "--state", folder.toString());
        try (var bridge = Bridge.builder().stdio("faulty", command, Map.of()).open();
                var client = client(BridgeTransports.of(bridge, "faulty"))) {
            client.initialize();
            for (int i = 0; i < 8; i++) {
                assertThat(text(call(client, "echo", Map.of("text", "hi" + i)))).isEqualTo("hi" + i);
            }
        }
    }

    @Test
    void sessionSurvivesServerRestarts() {
        try (var server = FaultyServer.overHttp(Era.LEGACY, FaultScript.NONE);
                var bridge = Bridge.builder().http("faulty", server.uri()).open();
                var client = client(BridgeTransports.all(bridge))) {
            client.initialize();
            for (int i = 0; i < 10; i++) {
                assertThat(text(call(client, "faulty__echo", Map.of("text", "hi"))))
                        .isEqualTo("hi");
                server.start();
            }
        }
    }

    @Test
    void callThatMayHaveRunIsNotRetried() {
        var script = FaultScript.parse("mid-answer:1=cut");
        try (var server = FaultyServer.overHttp(Era.LEGACY, script);
                var bridge = Bridge.builder().http("faulty", server.uri()).open();
                var client = client(BridgeTransports.of(bridge, "faulty"))) {
            assertThatThrownBy(() -> call(client, "count", Map.of("key", "k"))).isInstanceOf(McpError.class);
            assertThat(server.ledger().executions("k")).isEqualTo(1);
            assertThat(text(call(client, "echo", Map.of("text", "hi")))).isEqualTo("hi");
        }
    }

    @Test
    void handshakeNeedsNoServer() {
        try (var bridge = Bridge.builder()
                        .http("gone", NOWHERE, Map.of("retry", "none"))
                        .open();
                var client = client(BridgeTransports.of(bridge, "gone"))) {
            assertThat(client.initialize().serverInfo().name()).isEqualTo("mcp-bridge-server");
            assertThatThrownBy(() -> call(client, "echo", Map.of()))
                    .isInstanceOf(McpError.class)
                    .hasMessageContaining("[gone]");
        }
    }

    @Test
    void listOfADeadServerIsAnError() {
        var nobody = URI.create("unix:" + folder.resolve("nobody"));
        try (var client = client(BridgeTransports.to(nobody))) {
            client.initialize();

            assertThatThrownBy(client::listTools).isInstanceOf(McpError.class).hasMessageContaining(nobody.getPath());
            assertThatThrownBy(client::listResources).isInstanceOf(McpError.class);
            assertThatThrownBy(client::listPrompts).isInstanceOf(McpError.class);
        }
    }

    @Test
    void listOfAServerThatHasEndedIsTheLastOne() {
        try (var server = FaultyServer.overHttp(Era.LEGACY, FaultScript.NONE);
                var client = client(BridgeTransports.to(server.uri()))) {
            var listed = client.listTools().tools();
            server.stop();

            assertThat(client.listTools().tools()).isEqualTo(listed).isNotEmpty();
        }
    }

    @Test
    void closingAClientLeavesTheBridgeOpen() throws InterruptedException {
        try (var server = FaultyServer.overHttp(Era.LEGACY, FaultScript.NONE);
                var bridge = Bridge.builder().http("faulty", server.uri()).open()) {
            var transport = BridgeTransports.of(bridge, "faulty");
            try (var client = client(transport)) {
                call(client, "echo", Map.of("text", "hi"));
            }

            assertThat(bridge.callTool("faulty", "echo", Map.of("text", "hi")).text())
                    .isEqualTo("hi");
            assertThatThrownBy(() -> transport
                            .sendMessage(new JSONRPCNotification("notifications/initialized"))
                            .block())
                    .hasMessageContaining("the client is closed");
        }
    }

    @Test
    void closedBridgeIsReportedAtOnce() {
        var bridge = Bridge.builder().http("gone", NOWHERE).open();
        var transport = BridgeTransports.all(bridge);
        try (var client = client(transport)) {
            client.initialize();
            bridge.close();

            assertThatThrownBy(client::listTools).hasStackTraceContaining("the bridge is closed");
        }
        try (var late = client(transport)) {
            assertThatThrownBy(late::initialize).hasStackTraceContaining("the bridge is closed");
        }
        assertThatThrownBy(() -> BridgeTransports.all(bridge)).isInstanceOf(CallException.class);
    }

    @Test
    void closedClientLeavesNothingBehind() {
        try (var server = FaultyServer.overHttp(Era.LEGACY, FaultScript.NONE)) {
            var before = LeakCheck.now();
            try (var client = client(BridgeTransports.to(server.uri()))) {
                call(client, "echo", Map.of("text", "hi"));
            }
            before.assertNothingLeft();
        }
    }

    @Test
    void blockingCallbackDoesNotBlockTheBridgeOrOtherClients() throws Exception {
        var release = new CountDownLatch(1);
        try (var server = FaultyServer.overHttp(Era.LEGACY, FaultScript.NONE);
                var bridge = Bridge.builder().http("faulty", server.uri()).open()) {
            var blocked = McpClient.async(BridgeTransports.of(bridge, "faulty")).build();
            var name = new CompletableFuture<String>();
            blocked.callTool(CallToolRequest.builder("echo").build())
                    .flatMap(result -> {
                        name.complete(Thread.currentThread().getName());
                        return Mono.fromCallable(() -> release.await(60, TimeUnit.SECONDS));
                    })
                    .subscribe();
            assertThat(name.get(30, TimeUnit.SECONDS)).isEqualTo("mcp-bridge-sdk-client");

            try (var other = client(BridgeTransports.of(bridge, "faulty"))) {
                assertThat(text(call(other, "echo", Map.of("text", "hi")))).isEqualTo("hi");
                assertThat(bridge.callTool("faulty", "echo", Map.of("text", "hi"))
                                .text())
                        .isEqualTo("hi");
            } finally {
                release.countDown();
            }
            blocked.close();
        }
    }

    @Test
    void twoHundredCallsAtOnceEachGetTheirAnswer() {
        try (var server = FaultyServer.overHttp(Era.LEGACY, FaultScript.NONE);
                var bridge = Bridge.builder().http("faulty", server.uri()).open()) {
            var client = McpClient.async(BridgeTransports.of(bridge, "faulty"))
                    .requestTimeout(Duration.ofSeconds(90))
                    .build();
            client.initialize().block();
            var calls = IntStream.range(0, 200)
                    .mapToObj(i -> client.callTool(CallToolRequest.builder("echo")
                                    .arguments(Map.of("text", "hi " + i))
                                    .build())
                            .toFuture())
                    .toList();

            for (int i = 0; i < 200; i++) {
                assertThat(text(calls.get(i).join())).isEqualTo("hi " + i);
            }
            client.close();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16_000_000})
    void resultsOfAnySizeArrive(int bytes) {
        var script = FaultScript.parse("on-request:1=huge:" + bytes);
        try (var server = FaultyServer.overHttp(Era.LEGACY, script);
                var bridge = Bridge.builder().http("faulty", server.uri()).open();
                var client = client(BridgeTransports.of(bridge, "faulty"))) {
            assertThat(text(call(client, "echo", Map.of("text", "hi"))).length())
                    .isBetween(1, bytes + 1);
        }
    }

    @Test
    void invalidCallsFailAndTheSessionContinues() {
        try (var server = FaultyServer.overHttp(Era.LEGACY, FaultScript.NONE);
                var bridge = Bridge.builder().http("faulty", server.uri()).open();
                var client = client(BridgeTransports.all(bridge))) {
            assertThatThrownBy(() -> call(client, "faulty__no_such_tool", Map.of()))
                    .isInstanceOf(McpError.class);
            assertThatThrownBy(() -> call(client, "x".repeat(200), Map.of())).isInstanceOf(McpError.class);
            assertThatThrownBy(() -> call(client, "faulty__echo", Map.of("text", "x".repeat(17_000_000))))
                    .hasStackTraceContaining("more than 16777216 bytes");
            var nothing = CallToolRequest.builder("faulty__echo").build();
            assertThat(text(client.callTool(nothing))).isEqualTo("echo");

            bridge.removeServer("faulty");
            assertThatThrownBy(() -> call(client, "faulty__echo", Map.of())).isInstanceOf(McpError.class);
        }
    }

    @Test
    void unknownServersAndAddressesAreRejected() {
        try (var bridge = Bridge.builder().http("gone", NOWHERE).open()) {
            assertThatThrownBy(() -> BridgeTransports.of(bridge, "other"))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("there is no server 'other'");
        }
        assertThatThrownBy(() -> BridgeTransports.to(URI.create("/tmp/x")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("has no scheme");
        try (var client = client(BridgeTransports.to(URI.create("gopher://host")))) {
            assertThatThrownBy(client::initialize).hasStackTraceContaining("'gopher'");
        }
    }

    private static McpSyncClient client(McpClientTransport transport) {
        // The machine may be slow; the default is 20 s.
        return McpClient.sync(transport)
                .requestTimeout(Duration.ofSeconds(60))
                .initializationTimeout(Duration.ofSeconds(60))
                .build();
    }

    private static CallToolResult call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        return client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
    }

    private static String text(CallToolResult result) {
        return ((TextContent) result.content().get(0)).text();
    }
}
