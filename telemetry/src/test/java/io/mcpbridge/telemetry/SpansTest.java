package io.mcpbridge.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.AttemptTracer.Sending;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.RequestOrigin;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spans have the names and attributes of the conventions. */
class SpansTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String PARENT = "b7ad6b7169203331";
    private static final String TRACEPARENT = "00-" + TRACE + "-" + PARENT + "-01";

    private final TelemetryBench bench = new TelemetryBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void toolCallIsAServerSpanWithAClientSpanAsChild() {
        bench.serve(bench.tool("get_issue"), TelemetryBench.result("{\"content\":[]}"));

        var server = only(SpanKind.SERVER);
        var client = only(SpanKind.CLIENT);
        assertThat(server.getName()).isEqualTo("tools/call get_issue");
        assertThat(client.getName()).isEqualTo("tools/call get_issue");
        assertThat(client.getParentSpanId()).isEqualTo(server.getSpanId());
        assertThat(server.getParentSpanContext().isValid()).isFalse();
    }

    @Test
    void serverSpanHasTheAttributesOfTheConventions() {
        bench.serve(bench.tool("get_issue"), TelemetryBench.result("{\"content\":[]}"));

        assertThat(attributes(only(SpanKind.SERVER)))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "mcp.method.name", "tools/call",
                        "gen_ai.tool.name", "get_issue",
                        "gen_ai.operation.name", "execute_tool",
                        "mcp.protocol.version", "2026-07-28",
                        "jsonrpc.request.id", "r-1",
                        "mcpbridge.correlation.id", "correlation-1"));
    }

    @Test
    void serverSpanHasTheAddressOfTheClient() {
        bench.serve(from(OverHttp.FROM_HERE, bench.tool("get_issue")), TelemetryBench.result("{}"));

        assertThat(attributes(only(SpanKind.SERVER)))
                .containsEntry("network.transport", "tcp")
                .containsEntry("network.protocol.name", "http")
                .containsEntry("network.protocol.version", "1.1")
                .containsEntry("client.address", "127.0.0.1")
                .containsEntry("client.port", "4711");
    }

    @Test
    void clientSpanHasTheAttributesOfTheConventions() {
        bench.serve(bench.tool("get_issue"), TelemetryBench.result("{\"content\":[]}"));

        assertThat(attributes(only(SpanKind.CLIENT)))
                .containsExactlyInAnyOrderEntriesOf(Map.ofEntries(
                        Map.entry("mcp.method.name", "tools/call"),
                        Map.entry("gen_ai.tool.name", "get_issue"),
                        Map.entry("gen_ai.operation.name", "execute_tool"),
                        Map.entry("mcp.protocol.version", "2026-07-28"),
                        Map.entry("jsonrpc.request.id", "7"),
                        Map.entry("network.transport", "tcp"),
                        Map.entry("network.protocol.name", "http"),
                        Map.entry("server.address", "tools.example"),
                        Map.entry("server.port", "443"),
                        Map.entry("mcpbridge.server", "github"),
                        Map.entry("mcpbridge.attempt", "1"),
                        Map.entry("mcpbridge.correlation.id", "correlation-1")));
    }

    @Test
    void contextInMetaIsTheParent() {
        var call = bench.call("tools/list", "{\"_meta\":{\"traceparent\":\"%s\"}}".formatted(TRACEPARENT));

        bench.serve(call, TelemetryBench.result("{\"tools\":[]}"));

        var server = only(SpanKind.SERVER);
        assertThat(server.getTraceId()).isEqualTo(TRACE);
        assertThat(server.getParentSpanId()).isEqualTo(PARENT);
    }

    @Test
    void contextInHeadersIsTheParentIfMetaHasNone() {
        var call = from(
                () -> MessageHeaders.of(Map.of("traceparent", List.of(TRACEPARENT))), bench.call("tools/list", "{}"));

        bench.serve(call, TelemetryBench.result("{\"tools\":[]}"));

        assertThat(only(SpanKind.SERVER).getParentSpanId()).isEqualTo(PARENT);
        assertThat(only(SpanKind.SERVER).getLinks()).isEmpty();
    }

    @Test
    void metaPrecedesHeaders() {
        var other = "00-11111111111111111111111111111111-2222222222222222-01";
        var call = from(
                () -> MessageHeaders.of(Map.of("traceparent", List.of(other))),
                bench.call("tools/list", "{\"_meta\":{\"traceparent\":\"%s\"}}".formatted(TRACEPARENT)));

        bench.serve(call, TelemetryBench.result("{\"tools\":[]}"));

        assertThat(only(SpanKind.SERVER).getTraceId()).isEqualTo(TRACE);
        assertThat(only(SpanKind.SERVER).getLinks())
                .singleElement()
                .satisfies(link -> assertThat(link.getSpanContext().getSpanId()).isEqualTo("2222222222222222"));
    }

    @Test
    void serverReceivesTheContextOfTheAttempt() {
        var call = bench.call(
                "tools/list",
                "{\"_meta\":{\"traceparent\":\"%s\",\"tracestate\":\"a=1\",\"baggage\":\"tenant=x\"}}"
                        .formatted(TRACEPARENT));

        bench.serve(call, TelemetryBench.result("{\"tools\":[]}"));

        var sent = bench.sent.get(0).in(call.request());
        var span = only(SpanKind.CLIENT).getSpanId();
        assertThat(sent.metaText("traceparent")).contains("00-" + TRACE + "-" + span + "-01");
        assertThat(sent.metaText("tracestate")).contains("a=1");
        assertThat(sent.metaText("baggage")).contains("tenant=x");
        assertThat(bench.sent.get(0).in(MessageHeaders.EMPTY).first("traceparent"))
                .contains("00-" + TRACE + "-" + span + "-01");
    }

    @Test
    void repeatedAttemptsAreSpansOfOneParent() {
        var lost = Outcome.failed(Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the connection broke"));

        bench.serve(bench.tool("get_issue"), lost, TelemetryBench.result("{}"));

        var server = only(SpanKind.SERVER);
        var clients = bench.spans().stream()
                .filter(span -> span.getKind() == SpanKind.CLIENT)
                .toList();
        assertThat(clients)
                .hasSize(2)
                .allSatisfy(span -> assertThat(span.getParentSpanId()).isEqualTo(server.getSpanId()));
        assertThat(clients)
                .extracting(span -> attributes(span).get("mcpbridge.attempt"))
                .containsExactly("1", "2");
        assertThat(clients.get(0).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(server.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    void attemptsOfAProgramWithoutASpanShareOneParent() {
        bench.make(bench.tool("get_issue"), TelemetryBench.error(-32603, "busy"), TelemetryBench.result("{}"));

        var held = bench.span("execute_tool get_issue");
        assertThat(held.getKind()).isEqualTo(SpanKind.INTERNAL);
        assertThat(bench.spans())
                .filteredOn(span -> span.getKind() == SpanKind.CLIENT)
                .hasSize(2)
                .allSatisfy(span -> assertThat(span.getParentSpanId()).isEqualTo(held.getSpanId()));
    }

    @Test
    void attemptsOfAProgramAreChildrenOfItsCurrentSpan() {
        var own = bench.sdk.getTracer("program").spanBuilder("work").startSpan();
        var inside = Context.root().with(own);
        Runnable work = () -> bench.make(bench.tool("get_issue"), TelemetryBench.result("{}"));
        inside.wrap(work).run();

        assertThat(only(SpanKind.CLIENT).getParentSpanId())
                .isEqualTo(own.getSpanContext().getSpanId());
        assertThat(bench.spans()).hasSize(1);
    }

    @Test
    void onlyALegacySessionIsNamed() {
        var legacy = Caller.ANONYMOUS.withSession("c-1");
        bench.sending(Sending.of(MessageId.of(1), ProtocolVersion.LATEST_LEGACY)
                .over("pipe", "tool")
                .in("s-9"));
        bench.serve(bench.call(legacy, "tools/list", "{}"), TelemetryBench.result("{}"));

        assertThat(attributes(only(SpanKind.SERVER))).containsEntry("mcp.session.id", "c-1");
        assertThat(attributes(only(SpanKind.CLIENT)))
                .containsEntry("mcp.session.id", "s-9")
                .containsEntry("network.transport", "pipe")
                .doesNotContainKey("server.address");
        try (var modern = new TelemetryBench()) {
            modern.sending(Sending.of(MessageId.of(1), ProtocolVersion.LATEST).in("s-9"));
            modern.serve(modern.call("tools/list", "{}"), TelemetryBench.result("{}"));
            assertThat(modern.spans()).noneMatch(span -> attributes(span).containsKey("mcp.session.id"));
        }
    }

    @Test
    void toolErrorIsAnError() {
        bench.serve(bench.tool("get_issue"), TelemetryBench.result("{\"content\":[],\"isError\":true}"));

        assertThat(bench.spans()).hasSize(2).allSatisfy(span -> {
            assertThat(attributes(span)).containsEntry("error.type", "tool_error");
            assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        });
    }

    @ParameterizedTest(name = "{0}: an error for the server: {1}")
    @CsvSource({"-32602, false", "-32601, false", "-32002, false", "-32603, true", "-32000, true", "-31002, true"})
    void everyCodeIsAnErrorOfTheClientSpanOnly(int code, boolean isErrorOfServer) {
        bench.serve(bench.tool("get_issue"), TelemetryBench.error(code, "no such thing"));

        var client = only(SpanKind.CLIENT);
        assertThat(attributes(client))
                .containsEntry("error.type", Integer.toString(code))
                .containsEntry("rpc.response.status_code", Integer.toString(code));
        assertThat(client.getStatus().getDescription()).isEqualTo("no such thing");
        var server = only(SpanKind.SERVER);
        assertThat(attributes(server).get("rpc.response.status_code")).isEqualTo(Integer.toString(code));
        assertThat(attributes(server).containsKey("error.type")).isEqualTo(isErrorOfServer);
        assertThat(server.getStatus().getStatusCode() == StatusCode.ERROR).isEqualTo(isErrorOfServer);
    }

    @Test
    void timeoutHasTheErrorTypeTimeout() {
        var late = Failure.of(ErrorCode.PROVIDER_TIMEOUT, "timed out after 5000 ms")
                .withDelivery(Delivery.UNKNOWN);

        bench.serve(bench.tool("get_issue"), Outcome.failed(late));

        assertThat(attributes(only(SpanKind.CLIENT)))
                .containsEntry("error.type", "timeout")
                .containsEntry("mcpbridge.delivery", "unknown");
        assertThat(attributes(only(SpanKind.SERVER)))
                .containsEntry("error.type", "timeout")
                .containsEntry("rpc.response.status_code", "-31003");
    }

    @Test
    void otherFailuresAreNamedByTheirCause() {
        var broken = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "it broke").withCause(new java.io.EOFException());

        bench.serve(bench.tool("get_issue"), Outcome.failed(broken));

        assertThat(attributes(only(SpanKind.CLIENT))).containsEntry("error.type", "java.io.EOFException");
    }

    @Test
    void spansHaveTheNameOfAnUnlistedTool() {
        bench.serve(bench.tool("not_listed"), TelemetryBench.result("{}"));
        bench.make(bench.tool("not_listed"), TelemetryBench.result("{}"));

        assertThat(bench.spans())
                .extracting(SpanData::getName)
                .containsOnly("tools/call not_listed", "execute_tool not_listed");
        assertThat(bench.spans())
                .allSatisfy(span -> assertThat(attributes(span)).containsEntry("gen_ai.tool.name", "not_listed"));
    }

    @Test
    void scopeHasAVersion() {
        bench.serve(bench.tool("get_issue"), TelemetryBench.result("{}"));

        assertThat(bench.spans())
                .extracting(span -> span.getInstrumentationScopeInfo().getName() + " "
                        + span.getInstrumentationScopeInfo().getVersion())
                .containsOnly("io.mcpbridge development");
        assertThat(bench.metric("mcp.server.operation.duration")
                        .getInstrumentationScopeInfo()
                        .getVersion())
                .isEqualTo("development");
    }

    @Test
    void resourcesAndPromptsAreNamed() {
        bench.serve(bench.call("resources/read", "{\"uri\":\"file:///a\"}"), TelemetryBench.result("{}"));
        bench.serve(bench.call("prompts/get", "{\"name\":\"get_issue\"}"), TelemetryBench.result("{}"));

        assertThat(bench.spans())
                .filteredOn(span -> span.getName().equals("resources/read"))
                .hasSize(2)
                .allSatisfy(span -> assertThat(attributes(span)).containsEntry("mcp.resource.uri", "file:///a"));
        assertThat(bench.spans())
                .filteredOn(span -> span.getName().equals("prompts/get get_issue"))
                .hasSize(2)
                .allSatisfy(span -> assertThat(attributes(span)).containsEntry("gen_ai.prompt.name", "get_issue"));
    }

    @Test
    void argumentsAndResultsAreNeverReported() {
        bench.serve(bench.tool("get_issue"), TelemetryBench.result("{\"content\":[{\"text\":\"canary\"}]}"));

        assertThat(bench.spans().toString()).doesNotContain("canary");
    }

    @Test
    void contextIsPropagatedWithSpansOff() {
        try (var off = new TelemetryBench(new TelemetrySettings(TelemetrySettings.Spans.OFF))) {
            var call = off.call("tools/list", "{\"_meta\":{\"traceparent\":\"%s\"}}".formatted(TRACEPARENT));

            off.serve(call, TelemetryBench.result("{}"));

            assertThat(off.spans()).isEmpty();
            assertThat(off.sent.get(0).in(call.request()).metaText("traceparent"))
                    .contains(TRACEPARENT);
            assertThat(off.metric("mcp.client.operation.duration")
                            .getHistogramData()
                            .getPoints())
                    .hasSize(1);
        }
    }

    private SpanData only(SpanKind kind) {
        var found =
                bench.spans().stream().filter(span -> span.getKind() == kind).toList();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static Call from(RequestOrigin arrival, Call call) {
        return Call.of(call.request(), call.caller(), call.correlationId(), call.deadline(), arrival);
    }

    private static Map<String, String> attributes(SpanData span) {
        return span.getAttributes().asMap().entrySet().stream()
                .collect(Collectors.toMap(
                        entry -> ((AttributeKey<?>) entry.getKey()).getKey(),
                        entry -> String.valueOf(entry.getValue()),
                        (one, other) -> one,
                        TreeMap::new));
    }
}
