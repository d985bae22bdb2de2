package io.mcpbridge.traces;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What {@code mcp-bridge serve --otlp} sends to a collector, and what a bad collector costs. */
@Timeout(value = 90, unit = TimeUnit.SECONDS)
class OtlpTest {
    /** The five seconds that a collector may hold up the end, and what ending takes on a busy machine. */
    private static final Duration SOON = Duration.ofSeconds(15);

    private static final Duration NOTICEABLE = Duration.ofSeconds(2);

    @TempDir
    private Path folder;

    @Test
    void spansAreExportedBeforeTheEnd() throws Exception {
        try (var collector = Collector.start();
                var daemon = ServingProcess.start(folder, Map.of(), "--otlp=" + collector.url())) {
            daemon.call(1);

            daemon.end();

            assertThat(daemon.exitCode()).as(daemon.log()).isZero();
            assertThat(collector.services()).containsExactly("mcp-bridge");
            var served = span(collector, Span.SpanKind.SPAN_KIND_SERVER, "tools/call telling__context");
            var attempt = span(collector, Span.SpanKind.SPAN_KIND_CLIENT, "tools/call context");
            assertThat(attempt.getParentSpanId()).isEqualTo(served.getSpanId());
            assertThat(Collector.attribute(attempt, "mcpbridge.server")).isEqualTo("telling");
            assertThat(collector.metricNames())
                    .contains("mcp.server.operation.duration", "mcp.client.operation.duration");
        }
    }

    @Test
    void variablesOfOpenTelemetryApply() throws Exception {
        try (var collector = Collector.start();
                var daemon = ServingProcess.start(
                        folder,
                        Map.of(
                                "OTEL_EXPORTER_OTLP_ENDPOINT", collector.url(),
                                "OTEL_SERVICE_NAME", "my-bridge",
                                "OTEL_BSP_SCHEDULE_DELAY", "50",
                                "OTEL_METRIC_EXPORT_INTERVAL", "50"),
                        "--otlp")) {
            daemon.call(1);

            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> collector.spans().stream()
                            .anyMatch(span -> span.getName().equals("tools/call telling__context")));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> collector.metricNames().contains("mcpbridge.connection.state"));
            assertThat(collector.services()).containsExactly("my-bridge");
        }
    }

    @Test
    void unreachableCollectorDelaysNeitherCallsNorTheEnd() throws Exception {
        try (var daemon = ServingProcess.start(folder, impatient(), "--otlp=" + unusedAddress())) {
            assertThat(daemon.call(200)).isLessThan(NOTICEABLE);

            assertThat(daemon.end()).isLessThan(SOON);
            assertThat(daemon.exitCode()).as(daemon.log()).isZero();
        }
    }

    @Test
    void hangingCollectorDelaysNeitherCallsNorTheEnd() throws Exception {
        try (var collector = Collector.hanging();
                var daemon = ServingProcess.start(folder, impatient(), "--otlp=" + collector.url())) {
            daemon.call(1);
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(collector::hasSomething);
            assertThat(daemon.call(200)).isLessThan(NOTICEABLE);

            assertThat(daemon.end()).isLessThan(SOON);
            assertThat(daemon.exitCode()).as(daemon.log()).isZero();
        }
    }

    @Test
    void noOpenTelemetryClassIsLoadedByDefault() throws Exception {
        try (var daemon = ServingProcess.start(folder, Map.of())) {
            daemon.call(1);

            assertThat(daemon.classes())
                    .contains("io.mcpbridge.cli.ServeCommand")
                    .doesNotContain("io.opentelemetry", "okhttp3", "kotlin.");
        }
    }

    /** What makes it send at once and often, so that a bad collector would show. */
    private static Map<String, String> impatient() {
        return Map.of("OTEL_BSP_SCHEDULE_DELAY", "10", "OTEL_METRIC_EXPORT_INTERVAL", "100");
    }

    /** An address where no collector listens. */
    private static String unusedAddress() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "http://127.0.0.1:" + taken.getLocalPort();
        }
    }

    private static Span span(Collector collector, Span.SpanKind kind, String name) {
        var found = collector.spans().stream()
                .filter(span -> span.getKind() == kind && span.getName().equals(name))
                .toList();
        assertThat(found).as(name).hasSize(1);
        return found.get(0);
    }
}
