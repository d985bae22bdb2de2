package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.server.RunningServer.ServerListeners;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.RecordingLogger;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Where a server listens, and what comes with that. */
@Timeout(60)
class ServerListenersTest {
    private static final String META =
            "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{}}";

    @Test
    void b7ServerEndsWithItsOnlyClient() throws Exception {
        try (var bench = new ServeBench()) {
            var pipe = new io.mcpbridge.testkit.InMemoryListener();
            bench.options.listenUntilGone(pipe);
            bench.with("one", call -> 1);
            bench.server().start();
            var client = ServedClient.legacy(pipe.connect());
            assertThat(client.envelope("one", "{}")).contains("\"data\":1");

            client.leave();

            bench.server().awaitStop();
        }
    }

    @Test
    void standardStreamsAreUntouchedUntilTheServerStarts() {
        try (var bench = new ServeBench();
                var own = RunningServer.environment(bench.options.build())) {
            bench.options.listen("stdio", Settings.of(Map.of()));
            var before = System.out;

            try (var listeners = new ServerListeners(bench.options.build(), own.environment())) {
                assertThat(listeners.addresses()).isEmpty();
                assertThat(System.out).isSameAs(before);
            }
        }
    }

    @Test
    void failedListenerClosesEarlierOnesInReverseOrder() {
        var closed = new ArrayList<String>();
        var providers = Providers.of(
                ListenerProvider.class,
                List.of(
                        new NotingListenerProvider("first", closed),
                        new NotingListenerProvider("second", closed),
                        new NotingListenerProvider("broken", closed)));
        var none = Settings.of(Map.of());
        var options = ToolServerOptions.builder()
                .listen("first", none)
                .listen("second", none)
                .listen("broken", none)
                .build();
        try (var own = RunningServer.environment(options)) {

            assertThatThrownBy(() -> new ServerListeners(options, own.environment(), providers))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("there is no way to 'broken'");

            assertThat(closed).containsExactly("second", "first");
        }
    }

    /** Makes listeners that record their close, except one named {@code broken}. */
    private record NotingListenerProvider(String name, List<String> closed) implements ListenerProvider {
        @Override
        public Id id() {
            return new Id(name, SPI_VERSION);
        }

        @Override
        public Listener create(Settings settings, Environment environment) {
            if (name.equals("broken")) {
                throw ConfigurationException.of("there is no way to 'broken'");
            }
            return new NotingListener(name, closed);
        }
    }

    /** Tells when it is closed. */
    private record NotingListener(String name, List<String> closed) implements Listener {
        @Override
        public void start(Acceptor acceptor) {}

        @Override
        public URI address() {
            return URI.create("noting:" + name);
        }

        @Override
        public void stopAccepting() {}

        @Override
        public void close() {
            closed.add(name);
        }
    }

    @Test
    void b7ServerOutlivesItsClients() throws Exception {
        try (var bench = new ServeBench().with("one", call -> 1)) {
            bench.legacy().leave();

            assertThat(bench.modern().envelope("one", "{}")).contains("\"data\":1");
        }
    }

    @Test
    void b6NotesReachTheSink() {
        var log = new RecordingLogger();

        new AuditRecorder(new InMemoryAuditSink(), log).note(new AuditNote("odd", Map.of()));

        assertThat(log.lines()).isEmpty();
    }

    @Test
    void g5UserOfAUnixSocketIsInTheAudit(@TempDir Path folder) throws Exception {
        var socket = folder.resolve("s.sock");
        try (var bench = new ServeBench()) {
            bench.options.listen("unix", Settings.of(Map.of("path", socket.toString())));
            bench.with("one", call -> 1);
            bench.server().start();

            assertThat(overSocket(
                            socket,
                            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"one\",%s}}"
                                    .formatted(META)))
                    .contains("\\\"data\\\":1");

            assertThat(bench.records().get(0)).isInstanceOfSatisfying(ToolEnter.class, enter -> {
                assertThat(enter.call().principal().proof()).isEqualTo("peer-credentials");
                assertThat(enter.call().principal().name()).isEqualTo(System.getProperty("user.name"));
            });
        }
    }

    private static String overSocket(Path socket, String line) throws IOException {
        try (var channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            channel.connect(UnixDomainSocketAddress.of(socket));
            channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
            var answer = new StringBuilder();
            var bytes = ByteBuffer.allocate(4_096);
            while (answer.indexOf("\n") < 0 && channel.read(bytes.clear()) > 0) {
                answer.append(StandardCharsets.UTF_8.decode(bytes.flip()));
            }
            return answer.toString();
        }
    }

    @Test
    void headersOfAModernCallMustRepeatItsArguments() throws Exception {
        try (var bench = new ServeBench()) {
            bench.options.listen("http", Settings.of(Map.of("port", 0)));
            bench.options.instructions("Use it well.");
            bench.with(
                    "where",
                    ToolConfig.of(
                            "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"x-mcp-header\":\"Region\"}}}"),
                    call -> call.arguments().get("region"));
            bench.server().start();
            var uri = bench.server().addresses().stream()
                    .filter(each -> each.getScheme().equals("http"))
                    .findFirst()
                    .orElseThrow();

            assertThat(overHttp(uri, "north")).contains("\\\"data\\\":\\\"north\\\"");
            assertThat(overHttp(uri, "south")).contains("-32020");
            assertThat(ServedClient.modern(bench.listener.connect()).ask("server/discover", ""))
                    .contains("\"instructions\":\"Use it well.\"")
                    .contains("\"capabilities\":{\"tools\":{\"listChanged\":true},\"logging\":{}}");
        }
    }

    private static String overHttp(URI uri, String header) throws IOException, InterruptedException {
        var body =
                "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"where\",\"arguments\":{\"region\":\"north\"},%s}}"
                        .formatted(META);
        var request = HttpRequest.newBuilder(uri)
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .header("MCP-Protocol-Version", "2026-07-28")
                .header("Mcp-Method", "tools/call")
                .header("Mcp-Name", "where")
                .header("Mcp-Param-Region", header)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }
}
