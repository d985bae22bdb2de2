package io.mcpbridge.traces;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.telemetry.OpenTelemetryObserver;
import io.mcpbridge.telemetry.TelemetrySettings;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** One trace from a program through a daemon to a server, whatever lies between them. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TracesAcrossTest {
    private static final String CONFIGURATION = """
        {"mcpServers": {"telling": {"command": %s, "args": [%s]}},
         "bridge": {"listen": {"unix": {"path": %s}, "http": {"port": 0}}}}\
        """;

    @TempDir
    private Path folder;

    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
            .build();
    private final OpenTelemetryObserver observer = OpenTelemetryObserver.of(sdk, TelemetrySettings.DEFAULTS);

    @AfterEach
    void close() {
        sdk.close();
    }

    @ParameterizedTest(name = "a client of protocol {1} over {0}")
    @CsvSource({"unix, legacy, unix", "unix, 2026-07-28, unix", "http, legacy, tcp", "http, 2026-07-28, tcp"})
    void aCallIsOneTraceFromTheProgramToTheServer(String front, String protocol, String network) throws Exception {
        var told = call(front, protocol);

        var held = span(SpanKind.INTERNAL, "");
        var toDaemon = span(SpanKind.CLIENT, network);
        var served = span(SpanKind.SERVER, "");
        var toServer = span(SpanKind.CLIENT, "pipe");
        assertThat(toDaemon.getParentSpanId()).isEqualTo(held.getSpanId());
        assertThat(served.getParentSpanId()).isEqualTo(toDaemon.getSpanId());
        assertThat(toServer.getParentSpanId()).isEqualTo(served.getSpanId());
        assertThat(told).startsWith("00-%s-%s-".formatted(held.getTraceId(), toServer.getSpanId()));
        assertThat(toDaemon.getName()).isEqualTo("tools/call telling__context");
        assertThat(toServer.getName()).isEqualTo("tools/call context");
    }

    /** Calls the tool through a daemon; what the server was told. */
    private String call(String front, String protocol) throws InterruptedException {
        var socket = folder.resolve("b.sock");
        var command = TellingChild.command();
        var configuration = CONFIGURATION.formatted(
                JsonText.quote(command.get(0)),
                command.stream().skip(1).map(JsonText::quote).collect(Collectors.joining(", ")),
                JsonText.quote(socket.toString()));
        var options = ConnectionOptions.DEFAULTS.with("protocol", protocol).withObserver(observer);
        try (var daemon = Daemon.start(
                        BridgeConfiguration.parse(configuration, folder, Map.of()),
                        DaemonOptions.DEFAULTS.withObserver(observer));
                var client = Connection.to(address(daemon, front), options)) {
            client.listTools();
            spans.reset();
            return client.callTool("telling__context", Map.of()).text();
        }
    }

    private static URI address(Daemon daemon, String scheme) {
        return daemon.addresses().stream()
                .filter(address -> address.getScheme().equals(scheme))
                .findFirst()
                .orElseThrow();
    }

    /** The span of this kind for the call of the tool, by the transport that it went over. */
    private SpanData span(SpanKind kind, String network) {
        return Awaitility.await()
                .until(
                        () -> spans.getFinishedSpanItems().stream()
                                .filter(span -> span.getKind() == kind)
                                .filter(span -> network.isEmpty() || network.equals(network(span)))
                                .filter(span -> span.getName().contains("context"))
                                .toList(),
                        found -> found.size() == 1)
                .get(0);
    }

    private static String network(SpanData span) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey("network.transport")));
    }
}
