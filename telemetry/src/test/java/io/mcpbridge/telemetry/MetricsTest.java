package io.mcpbridge.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.telemetry.RequestTarget.MetricNames;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.metrics.data.HistogramPointData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Durations and gauges, with a bounded number of attribute values. */
class MetricsTest {
    private static final List<Double> BUCKETS =
            List.of(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0);

    private final TelemetryBench bench = new TelemetryBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mcp.client.operation.duration", "mcp.server.operation.duration"})
    void durationsAreInSecondsWithTheBucketsOfTheConventions(String name) {
        bench.serve(bench.tool("get_issue"), TelemetryBench.result("{}"));

        var metric = bench.metric(name);
        assertThat(metric.getUnit()).isEqualTo("s");
        assertThat(points(name)).singleElement().satisfies(point -> {
            assertThat(point.getBoundaries()).isEqualTo(BUCKETS);
            assertThat(point.getCount()).isEqualTo(1);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"mcp.client.operation.duration", "mcp.server.operation.duration"})
    void noAttributeIdentifiesACall(String name) {
        bench.serve(bench.tool("get_issue"), TelemetryBench.error(-32603, "busy"));

        assertThat(points(name))
                .singleElement()
                .satisfies(point -> assertThat(keys(point))
                        .contains("mcp.method.name", "gen_ai.tool.name", "error.type", "rpc.response.status_code")
                        .doesNotContain(
                                "jsonrpc.request.id",
                                "mcp.session.id",
                                "mcp.resource.uri",
                                "mcpbridge.correlation.id",
                                "mcpbridge.attempt"));
    }

    @Test
    void unlistedToolsKeepTheirNames() {
        bench.serve(bench.tool("not_listed"), TelemetryBench.result("{}"));

        for (var name : List.of("mcp.client.operation.duration", "mcp.server.operation.duration")) {
            assertThat(tools(name)).containsExactly("not_listed");
        }
    }

    @Test
    void unlistedToolsBeyondALimitShareTheNameOther() {
        for (var i = 0; i < 10_000; i++) {
            bench.serve(bench.tool("made-up-" + i), TelemetryBench.error(-32602, "Unknown tool"));
        }
        bench.serve(bench.tool("get_issue"), TelemetryBench.error(-32602, "Wrong arguments"));

        for (var name : List.of("mcp.client.operation.duration", "mcp.server.operation.duration")) {
            assertThat(tools(name))
                    .hasSize(MetricNames.LIMIT + 2)
                    .contains("_OTHER", "get_issue", "made-up-0", "made-up-" + (MetricNames.LIMIT - 1));
        }
        assertThat(bench.spans()).extracting(span -> span.getName()).contains("tools/call made-up-9999");
    }

    @Test
    void callWithoutANameHasNoToolName() {
        bench.serve(bench.call("tools/call", "{}"), TelemetryBench.error(-32602, "There is no name"));

        assertThat(bench.spans()).extracting(span -> span.getName()).containsOnly("tools/call");
        assertThat(tools("mcp.server.operation.duration")).containsOnlyNulls();
    }

    private List<@Nullable String> tools(String metric) {
        return points(metric).stream()
                .<@Nullable String>map(point -> point.getAttributes().get(SemanticAttributes.TOOL))
                .toList();
    }

    @Test
    void unknownMethodsShareTheNameOther() {
        for (var i = 0; i < 100; i++) {
            bench.serve(bench.call("made/up" + i, "{}"), TelemetryBench.error(-32601, "Method not found"));
        }

        assertThat(points("mcp.server.operation.duration"))
                .singleElement()
                .satisfies(point -> assertThat(point.getAttributes().get(AttributeKey.stringKey("mcp.method.name")))
                        .isEqualTo("_OTHER"));
    }

    @Test
    void attemptsAreCounted() {
        bench.serve(bench.tool("get_issue"), TelemetryBench.error(-32603, "busy"), TelemetryBench.result("{}"));

        assertThat(bench.metric("mcpbridge.client.attempts").getLongSumData().getPoints())
                .extracting(point -> point.getAttributes().get(AttributeKey.stringKey("mcpbridge.outcome")))
                .containsExactlyInAnyOrder("error", "ok");
    }

    @Test
    void queueTimeOfEachAttemptIsMeasured() {
        bench.serve(bench.tool("get_issue"), TelemetryBench.error(-32603, "busy"), TelemetryBench.result("{}"));

        assertThat(points("mcpbridge.client.queue.duration")).singleElement().satisfies(point -> {
            assertThat(point.getCount()).isEqualTo(2);
            assertThat(keys(point)).containsExactly("mcpbridge.server");
        });
    }

    @Test
    void readingsAreGaugesPerServer() {
        bench.observer()
                .watchServers(() -> Map.of(
                        "github",
                        List.of(
                                new GaugeReading("breaker.state", 1, "open"),
                                new GaugeReading("rate-limit.waiting", 3, ""))));

        assertThat(gauge("mcpbridge.breaker.state")).containsExactly("github=1.0");
        assertThat(gauge("mcpbridge.rate_limit.waiting")).containsExactly("github=3.0");
    }

    @Test
    void unknownReadingsAreReportedByName() {
        bench.observer().watchServers(() -> Map.of("github", List.of(new GaugeReading("quota.left", 5, ""))));

        var point = bench.metric("mcpbridge.reading")
                .getDoubleGaugeData()
                .getPoints()
                .iterator()
                .next();
        assertThat(point.getAttributes().get(AttributeKey.stringKey("mcpbridge.reading")))
                .isEqualTo("quota.left");
        assertThat(point.getValue()).isEqualTo(5);
    }

    @Test
    void gaugesEndWithTheirBridge() {
        var read = new ArrayList<String>();
        var watching = bench.observer().watchServers(() -> {
            read.add("read");
            return Map.of();
        });
        watching.run();

        bench.serve(bench.tool("get_issue"), TelemetryBench.result("{}"));
        bench.metric("mcp.server.operation.duration");

        assertThat(read).isEmpty();
    }

    private List<String> gauge(String name) {
        return bench.metric(name).getDoubleGaugeData().getPoints().stream()
                .map(point ->
                        point.getAttributes().get(AttributeKey.stringKey("mcpbridge.server")) + "=" + point.getValue())
                .toList();
    }

    private List<HistogramPointData> points(String metric) {
        return List.copyOf(bench.metric(metric).getHistogramData().getPoints());
    }

    private static List<String> keys(HistogramPointData point) {
        return point.getAttributes().asMap().keySet().stream()
                .map(AttributeKey::getKey)
                .toList();
    }
}
