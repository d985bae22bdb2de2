package io.mcpbridge.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.call.AttemptTracer.Sending;
import io.mcpbridge.call.CallTracer.CallAttempt;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.testkit.InMemoryTransportProvider;
import io.mcpbridge.testkit.ScriptedServer;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.net.URI;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests of the bridge itself. */
class OwnRequestsTest {
    private static final Sending SENDING = Sending.of(MessageId.of(3), ProtocolVersion.LATEST_LEGACY)
            .over("unix", "/run/tool.sock")
            .in("s-9");

    private final TelemetryBench bench = new TelemetryBench();

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void ownRequestIsAClientSpan() {
        ask("initialize", TelemetryBench.result("{}"));

        var span = bench.span("initialize");
        assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(span.getParentSpanContext().isValid()).isFalse();
        assertThat(span.getAttributes().asMap())
                .containsEntry(SemanticAttributes.METHOD, "initialize")
                .containsEntry(SemanticAttributes.SERVER, "github")
                .containsEntry(SemanticAttributes.REQUEST_ID, "3")
                .containsEntry(SemanticAttributes.SESSION, "s-9")
                .containsEntry(SemanticAttributes.PROTOCOL_VERSION, "2025-11-25")
                .containsEntry(SemanticAttributes.TRANSPORT, "unix")
                .containsEntry(SemanticAttributes.SERVER_ADDRESS, "/run/tool.sock")
                .doesNotContainKey(SemanticAttributes.ATTEMPT);
    }

    @Test
    void currentSpanOfAProgramIsTheParent() {
        var own = bench.sdk.getTracer("program").spanBuilder("work").startSpan();
        Context.root()
                .with(own)
                .wrap(() -> ask("tools/list", TelemetryBench.result("{}")))
                .run();

        assertThat(bench.span("tools/list").getParentSpanId())
                .isEqualTo(own.getSpanContext().getSpanId());
    }

    @Test
    void requestsCausedByAProgramAreChildrenOfItsSpan() throws Exception {
        var server = new ScriptedServer()
                .on(
                        Methods.INITIALIZE,
                        "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                                + "\"serverInfo\":{\"name\":\"scripted\",\"version\":\"1\"}}")
                .on(Methods.TOOLS_LIST, "{\"tools\":[]}")
                .on(Methods.PING, "{}");
        var options = ConnectionOptions.DEFAULTS
                .withTransport(InMemoryTransportProvider.to(server))
                .withRetryPolicy("none")
                .with("protocol", "legacy")
                .withObserver(bench.observer());
        var work = bench.sdk.getTracer("program").spanBuilder("work").startSpan();

        Callable<Boolean> list = () -> {
            try (var connection = Connection.to(URI.create("memory:here"), options)) {
                return connection.listTools().isEmpty();
            }
        };
        Context.root().with(work).wrap(list).call();

        assertThat(bench.spans())
                .extracting(span -> span.getName() + " of " + span.getParentSpanId())
                .contains(
                        "initialize of " + work.getSpanContext().getSpanId(),
                        "tools/list of " + work.getSpanContext().getSpanId());
        assertThat(bench.spans())
                .allSatisfy(span -> assertThat(span.getTraceId())
                        .isEqualTo(work.getSpanContext().getTraceId()));
    }

    @Test
    void failedOwnRequestIsAnError() {
        ask("ping", Outcome.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, "no sign of life")));

        var span = bench.span("ping");
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span.getAttributes().get(AttributeKey.stringKey("error.type")))
                .isEqualTo("timeout");
    }

    @Test
    void ownRequestIsMeasuredButNotCountedAsAttempt() {
        ask("server/discover", TelemetryBench.result("{}"));

        assertThat(bench.metric("mcp.client.operation.duration")
                        .getHistogramData()
                        .getPoints())
                .singleElement()
                .satisfies(point -> assertThat(point.getAttributes().get(SemanticAttributes.METHOD))
                        .isEqualTo("server/discover"));
        assertThat(bench.metricNames()).doesNotContain("mcpbridge.client.attempts");
    }

    private void ask(String method, Outcome outcome) {
        var call = bench.call(method, "{}");
        var own = new CallAttempt(call.request(), call.correlationId(), "github", 1, () -> false);
        var attempt = bench.observer().asked(own, bench.observer().programTrace());
        var additions = attempt.sending(SENDING);
        attempt.ended(outcome);

        assertThat(additions.in(bench.call(method, "{}").request()).metaText("traceparent"))
                .isPresent();
    }
}
