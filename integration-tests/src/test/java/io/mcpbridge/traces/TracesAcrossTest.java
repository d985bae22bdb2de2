package io.mcpbridge.traces;

import static io.mcpbridge.traces.InMemoryTelemetry.attribute;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.testkit.RecordingAuditSink;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One trace from a program through a daemon to a server, whatever lies between them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TracesAcrossTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";
    private static final String TRACEPARENT = "00-" + TRACE + "-" + PARENT + "-01";
    private static final String OTHER = "00-11111111111111111111111111111111-2222222222222222-01";

    @TempDir
    private Path folder;

    private final InMemoryTelemetry telemetry = new InMemoryTelemetry();
    private final RecordingAuditSink audit = new RecordingAuditSink();

    @AfterEach
    void close() {
        telemetry.close();
    }

    @ParameterizedTest(name = "a client of protocol {1} over {0}")
    @CsvSource({"unix, legacy, unix", "unix, 2026-07-28, unix", "http, legacy, tcp", "http, 2026-07-28, tcp"})
    void callIsOneTraceFromTheProgramToTheServer(String front, String protocol, String network) throws Exception {
        var told = call(front, protocol);

        var held = telemetry.span(SpanKind.INTERNAL, "execute_tool telling__context");
        var toDaemon = telemetry.span(SpanKind.CLIENT, "tools/call telling__context", over(network));
        var served = telemetry.span(SpanKind.SERVER, "tools/call telling__context", over(network));
        var toServer = telemetry.span(SpanKind.CLIENT, "tools/call context", over("pipe"));
        assertThat(toDaemon.getParentSpanId()).isEqualTo(held.getSpanId());
        assertThat(served.getParentSpanId()).isEqualTo(toDaemon.getSpanId());
        assertThat(toServer.getParentSpanId()).isEqualTo(served.getSpanId());
        assertThat(told).startsWith("00-%s-%s-".formatted(held.getTraceId(), toServer.getSpanId()));
        assertThat(audit.enters())
                .singleElement()
                .satisfies(enter -> assertThat(enter.call().trace())
                        .isEqualTo(TraceParent.of(
                                served.getTraceId(),
                                served.getSpanId(),
                                served.getSpanContext().getTraceFlags().asHex())));
    }

    @ParameterizedTest(name = "a client of protocol {1} over {0}")
    @CsvSource({"unix, legacy", "unix, 2026-07-28", "http, legacy", "http, 2026-07-28"})
    void ownRequestsHaveTracesOfTheirOwn(String front, String protocol) throws Exception {
        call(front, protocol);

        var handshake = telemetry.span(SpanKind.CLIENT, "initialize", over("pipe"));
        var listing = telemetry.span(SpanKind.CLIENT, "tools/list", over("pipe"));
        assertThat(handshake.getParentSpanContext().isValid()).isFalse();
        assertThat(listing.getParentSpanContext().isValid()).isFalse();
        assertThat(attribute(listing, "mcpbridge.server")).isEqualTo("telling");
    }

    @Test
    void sessionsOfBothSidesAreMeasured() throws Exception {
        call("unix", "legacy");

        var withServers = telemetry.histogram("mcp.client.session.duration");
        assertThat(withServers)
                .extracting(point -> attribute(point, "network.transport"))
                .containsExactlyInAnyOrder("unix", "pipe");
        assertThat(withServers)
                .allSatisfy(point ->
                        assertThat(attribute(point, "mcp.protocol.version")).isEqualTo("2025-11-25"));
        var ofClients = telemetry.histogram("mcp.server.session.duration");
        assertThat(ofClients).singleElement().satisfies(point -> {
            assertThat(point.getCount()).isEqualTo(1);
            assertThat(attribute(point, "network.transport")).isEqualTo("unix");
        });
    }

    @Test
    void headerIsTheParentIfMetaHasNone() throws Exception {
        var told = post("");

        var served = telemetry.span(SpanKind.SERVER, "tools/call telling__context");
        assertThat(served.getTraceId()).isEqualTo("11111111111111111111111111111111");
        assertThat(served.getParentSpanId()).isEqualTo("2222222222222222");
        assertThat(told).contains("00-" + served.getTraceId());
        assertThat(attribute(served, "network.transport")).isEqualTo("tcp");
        assertThat(attribute(served, "network.protocol.name")).isEqualTo("http");
        assertThat(attribute(served, "network.protocol.version")).isEqualTo("1.1");
        assertThat(attribute(served, "client.address")).isEqualTo("127.0.0.1");
        assertThat(attribute(served, "client.port")).matches("[1-9][0-9]*");
    }

    @Test
    void metaPrecedesTheHeader() throws Exception {
        post(",\"traceparent\":\"%s\"".formatted(TRACEPARENT));

        var served = telemetry.span(SpanKind.SERVER, "tools/call telling__context");
        assertThat(served.getTraceId()).isEqualTo(TRACE);
        assertThat(served.getParentSpanId()).isEqualTo(PARENT);
    }

    /** Calls the tool with a client of the library through a daemon, ends both and returns what the server received. */
    private String call(String front, String protocol) throws Exception {
        var options = ConnectionOptions.DEFAULTS.with("protocol", protocol).withObserver(telemetry.observer());
        try (var daemon = daemon();
                var client = Connection.to(address(daemon, front), options)) {
            client.listTools();
            return client.callTool("telling__context", Map.of()).text();
        }
    }

    /** Calls the tool by a bare POST with a context in its header; the whole answer. */
    private String post(String moreMeta) throws Exception {
        var json = """
            {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"telling__context","arguments":{},"_meta":\
            {"io.modelcontextprotocol/protocolVersion":"2026-07-28",\
            "io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},\
            "io.modelcontextprotocol/clientCapabilities":{}%s}}}\
            """.formatted(moreMeta);
        try (var daemon = daemon();
                var lister = Connection.to(address(daemon, "unix"))) {
            lister.listTools();
            var request = HttpRequest.newBuilder(address(daemon, "http"))
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json, text/event-stream")
                    .header("MCP-Protocol-Version", "2026-07-28")
                    .header("Mcp-Method", "tools/call")
                    .header("Mcp-Name", "telling__context")
                    .header("traceparent", OTHER)
                    .POST(HttpRequest.BodyPublishers.ofString(json))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }

    private Daemon daemon() {
        return Daemon.start(
                TellingChild.configuration(folder),
                DaemonOptions.DEFAULTS.withObserver(telemetry.observer()).withAuditSink(audit));
    }

    private static URI address(Daemon daemon, String scheme) {
        return daemon.addresses().stream()
                .filter(address -> address.getScheme().equals(scheme))
                .findFirst()
                .orElseThrow();
    }

    private static Predicate<SpanData> over(String network) {
        return span -> attribute(span, "network.transport").equals(network);
    }
}
