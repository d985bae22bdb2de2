package io.mcpbridge.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.AsyncToolSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Unchanged servers of the SDK over listeners of the bridge. */
@Timeout(120)
class BridgeServerTransportsTest {
    private static final String INITIALIZE =
            "{\"jsonrpc\":\"2.0\",\"id\":\"i\",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                    + "\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}}";

    @TempDir
    private Path folder;

    @Test
    void serverOnAUnixSocketServesSeveralClients() {
        var before = LeakCheck.now();
        var server = EchoServer.over(BridgeServerTransports.unix(socket()));
        try (var one = client(UnaryOperator.identity());
                var other = client(UnaryOperator.identity())) {
            assertThat(one.listTools().tools()).extracting(Tool::name).containsExactly("echo", "progress", "ask");
            assertThat(call(one, "echo", Map.of("text", "1"))).isEqualTo("1");
            assertThat(call(other, "echo", Map.of("text", "2"))).isEqualTo("2");
        }
        server.closeGracefully();

        assertThat(Files.exists(socket())).isFalse();
        before.assertNothingLeft();
    }

    @Test
    void serverSendsRequestsAndProgress() {
        var server = EchoServer.over(BridgeServerTransports.unix(socket()));
        var progress = new CopyOnWriteArrayList<Double>();
        try (var client = client(spec -> spec.progressConsumer(each -> progress.add(each.progress()))
                .sampling(request -> CreateMessageResult.builder(
                                Role.ASSISTANT, TextContent.builder("42").build(), "m")
                        .build()))) {
            assertThat(call(client, "ask", Map.of())).isEqualTo("42");
            client.callTool(
                    CallToolRequest.builder("progress").progressToken("p").build());
            // The SDK delivers notifications in any order.
            Eventually.holds("three notifications", () -> progress.size() == 3);
        }
        server.close();
    }

    @Test
    void addedToolIsNotified() {
        var server = EchoServer.over(BridgeServerTransports.unix(socket()));
        var seen = new CopyOnWriteArrayList<String>();
        try (var client =
                client(spec -> spec.toolsChangeConsumer(tools -> tools.forEach(tool -> seen.add(tool.name()))))) {
            client.listTools();
            server.addTool(SyncToolSpecification.builder()
                    .tool(Tool.builder("late", Map.of("type", "object")).build())
                    .callHandler((exchange, request) -> EchoServer.text("late"))
                    .build());
            Eventually.holds("the tool", () -> seen.contains("late"));
        }
        server.close();
    }

    @Test
    void toolWithoutAResultFails() {
        var server = McpServer.async(BridgeServerTransports.unix(socket()))
                .tools(AsyncToolSpecification.builder()
                        .tool(Tool.builder("nothing", Map.of("type", "object")).build())
                        .callHandler((exchange, request) -> Mono.empty())
                        .build())
                .build();
        try (var client = client(UnaryOperator.identity())) {
            assertThatThrownBy(() -> call(client, "nothing", Map.of()))
                    .isInstanceOf(McpError.class)
                    .hasMessageContaining("ended 'tools/call' without a result");
        }
        server.close();
    }

    @Test
    void serverProcessServesItsStandardStreams() throws InterruptedException {
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                EchoServer.class.getName());
        var before = LeakCheck.now();
        try (var bridge = Bridge.builder().stdio("echo", command, Map.of()).open()) {
            assertThat(bridge.callTool("echo", "echo", Map.of("text", "hi")).text())
                    .isEqualTo("hi");
        }
        before.assertNothingLeft();
    }

    @Test
    void invalidMessagesAreAnsweredAndTheSessionContinues() throws IOException {
        var server = EchoServer.over(BridgeServerTransports.unix(socket()));
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket()));
            var lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            send(channel, "no JSON");
            assertThat(lines.readLine()).contains("-32700");
            send(channel, "{\"jsonrpc\":\"2.0\",\"id\":123456789012345678901234,\"method\":\"ping\"}");
            assertThat(lines.readLine()).contains("\"id\":123456789012345678901234", "\"error\"");
            send(channel, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
            send(channel, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}");
            assertThat(lines.readLine()).contains("\"id\":1", "is that of an open request");
            send(channel, INITIALIZE);
            assertThat(lines.readLine()).contains("\"id\":\"i\"", "\"result\"");
        }
        server.close();
    }

    @Test
    void resultThatIsTooLargeIsAnErrorAndTheSessionContinues() {
        var server = EchoServer.over(BridgeServerTransports.unix(socket()));
        var runs = new AtomicInteger();
        server.addTool(EchoServer.tool("huge", (exchange, request) -> {
            runs.incrementAndGet();
            return EchoServer.text("x".repeat(16 << 20));
        }));
        try (var client = client(UnaryOperator.identity())) {
            assertThatThrownBy(() -> call(client, "huge", Map.of())).hasMessageContaining("more than 16777216 bytes");
            assertThat(call(client, "echo", Map.of("text", "1"))).isEqualTo("1");
        }
        server.close();
        assertThat(runs).hasValue(1);
    }

    @Test
    void clientThatSendsMoreThanTheServerReadsIsRejected() throws IOException {
        var release = new CountDownLatch(1);
        var server = McpServer.sync(BridgeServerTransports.unix(socket()))
                .immediateExecution(true)
                .tools(EchoServer.tool("block", (exchange, request) -> {
                    Mono.fromCallable(() -> release.await(60, TimeUnit.SECONDS)).block();
                    return EchoServer.text("done");
                }))
                .build();
        var large = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\",\"params\":{\"x\":\"%s\"}}"
                .formatted("x".repeat(2 << 20));
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket()));
            var lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8));
            send(channel, INITIALIZE);
            assertThat(lines.readLine()).contains("\"id\":\"i\"", "\"result\"");
            send(channel, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
            send(channel, request(1, "tools/call", "\"name\":\"block\""));
            for (int i = 0; i < 20; i++) {
                send(channel, large);
            }
            send(channel, request(2, "ping", ""));
            assertThat(lines.readLine()).contains("\"id\":2", "32 MB of its messages wait");

            release.countDown();
            assertThat(lines.readLine()).contains("\"id\":1", "done");
            Eventually.holds("the server to read again", () -> isAnswered(channel, lines));
        }
        server.close();
    }

    private static boolean isAnswered(SocketChannel channel, BufferedReader lines) {
        try {
            send(channel, request(3, "ping", ""));
            return lines.readLine().contains("\"result\"");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{%s}}".formatted(id, method, params);
    }

    private static void send(SocketChannel channel, String line) throws IOException {
        var bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    @Test
    void addressInUseIsReportedWhenTheServerIsBuilt() {
        var server = EchoServer.over(BridgeServerTransports.unix(socket()));

        assertThatThrownBy(() -> EchoServer.over(BridgeServerTransports.unix(socket())))
                .isInstanceOf(TransportException.class);
        server.close();
    }

    @Test
    void tooLongSocketPathIsReportedWhenTheServerIsBuilt() {
        var before = LeakCheck.now();
        var tooLong = folder.resolve("x".repeat(120));

        assertThatThrownBy(() -> EchoServer.over(BridgeServerTransports.unix(tooLong)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("at most 106");
        before.assertNothingLeft();
    }

    @Test
    void oneTransportServesOneServer() {
        var transport = BridgeServerTransports.unix(socket());
        var server = EchoServer.over(transport);

        assertThatThrownBy(() -> EchoServer.over(transport)).isInstanceOf(IllegalStateException.class);
        server.close();
    }

    @Test
    void programOfABridgeReceivesToolErrors() {
        var server = EchoServer.over(BridgeServerTransports.unix(socket()));
        try (var bridge =
                Bridge.builder().unix("echo", socket(), Map.of("retry", "none")).open()) {
            assertThatThrownBy(() -> bridge.callTool("echo", "nope", Map.of())).isInstanceOf(CallException.class);
        }
        server.close();
    }

    private Path socket() {
        return folder.resolve("echo");
    }

    private McpSyncClient client(UnaryOperator<McpClient.SyncSpec> changes) {
        var transport = BridgeTransports.to(URI.create("unix:" + socket()));
        return changes.apply(McpClient.sync(transport).requestTimeout(Duration.ofSeconds(60)))
                .build();
    }

    private static String call(McpSyncClient client, String tool, Map<String, Object> arguments) {
        CallToolResult result = client.callTool(
                CallToolRequest.builder(tool).arguments(arguments).build());
        return ((TextContent) result.content().get(0)).text();
    }
}
