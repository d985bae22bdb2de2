package io.mcpbridge.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.CallObserver.EndedSession;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Durations of sessions. */
class SessionsTest {
    private static final Duration SPAN = Duration.ofMillis(1500);

    private final TelemetryBench bench = new TelemetryBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void sessionsWithServersAreMeasured() {
        bench.observer()
                .sessionEnded(EndedSession.withServer("github", ProtocolVersion.LATEST_LEGACY, SPAN)
                        .over("tcp", "http://tools.example/mcp"));

        var point = point("mcp.client.session.duration");
        assertThat(point.getSum()).isEqualTo(1.5);
        assertThat(point.getBoundaries()).isEqualTo(SemanticAttributes.DURATION_BUCKETS);
        assertThat(attributes(point))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "mcp.protocol.version", "2025-11-25",
                        "network.transport", "tcp",
                        "network.protocol.name", "http",
                        "server.address", "tools.example",
                        "server.port", "80",
                        "mcpbridge.server", "github"));
    }

    @Test
    void sessionsOfClientsAreMeasuredWithoutIdentifyingAttributes() {
        bench.observer()
                .sessionEnded(
                        EndedSession.ofClient(ProtocolVersion.LATEST, SPAN).over("unix", ""));

        assertThat(attributes(point("mcp.server.session.duration")))
                .containsExactlyInAnyOrderEntriesOf(
                        Map.of("mcp.protocol.version", "2026-07-28", "network.transport", "unix"));
    }

    @Test
    void failedEndHasAnErrorType() {
        var lost = EndedSession.ofClient(ProtocolVersion.LATEST_LEGACY, SPAN);
        bench.observer().sessionEnded(lost.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, "silent")));
        var broken = EndedSession.withServer("github", ProtocolVersion.LATEST_LEGACY, SPAN);
        bench.observer().sessionEnded(broken.failed(Failure.of(ErrorCode.PROVIDER_CRASHED, "exit code 1")));

        assertThat(attributes(point("mcp.server.session.duration"))).containsEntry("error.type", "timeout");
        assertThat(attributes(point("mcp.client.session.duration"))).containsEntry("error.type", "provider_crashed");
    }

    private HistogramPointData point(String metric) {
        return bench.metric(metric).getHistogramData().getPoints().iterator().next();
    }

    private static Map<String, String> attributes(HistogramPointData point) {
        return point.getAttributes().asMap().entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> ((AttributeKey<?>) entry.getKey()).getKey(),
                        entry -> String.valueOf(entry.getValue())));
    }
}
