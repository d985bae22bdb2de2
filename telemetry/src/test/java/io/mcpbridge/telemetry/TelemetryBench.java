package io.mcpbridge.telemetry;

import io.mcpbridge.call.AttemptTracer.Additions;
import io.mcpbridge.call.AttemptTracer.Sending;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.pipeline.AttemptStage;
import io.mcpbridge.engine.pipeline.ObserverList;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallObserver.CallStart;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.RecordingReply;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.testing.exporter.InMemoryMetricReader;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** An in-memory OpenTelemetry, and calls that it observes. */
final class TelemetryBench implements AutoCloseable {
    static final String SERVER = "github";

    final List<Additions> sent = new ArrayList<>();
    private final InMemorySpanExporter spans = InMemorySpanExporter.create();
    private final InMemoryMetricReader metrics = InMemoryMetricReader.create();
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final RecordingLogger log = new RecordingLogger();
    final OpenTelemetrySdk sdk = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(spans))
                    .build())
            .setMeterProvider(
                    SdkMeterProvider.builder().registerMetricReader(metrics).build())
            .setPropagators(ContextPropagators.create(TextMapPropagator.composite(
                    W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance())))
            .build();
    private final OpenTelemetryObserver observer;
    private Sending way = Sending.of(MessageId.of(7), ProtocolVersion.LATEST).over("tcp", "https://tools.example/mcp");
    private List<String> listed = List.of("get_issue");

    TelemetryBench() {
        this(TelemetrySettings.DEFAULTS);
    }

    TelemetryBench(TelemetrySettings settings) {
        observer = OpenTelemetryObserver.of(sdk, settings);
    }

    OpenTelemetryObserver observer() {
        return observer;
    }

    /** Sets the network attributes of further attempts. */
    TelemetryBench sending(Sending newWay) {
        way = newWay;
        return this;
    }

    Call call(String method, String params) {
        return call(Caller.ANONYMOUS.withVersion(ProtocolVersion.LATEST).withSession("c-1"), method, params);
    }

    Call call(Caller caller, String method, String params) {
        var request = Request.of(MessageId.of("r-1"), method, params);
        return Call.of(request, caller, "correlation-1", Deadline.after(Duration.ofMinutes(1), time));
    }

    Call tool(String name) {
        return call("tools/call", "{\"name\":\"%s\",\"arguments\":{\"secret\":\"canary\"}}".formatted(name));
    }

    /** Serves a call of a client, each of whose attempts ends as {@code outcomes} says; the last one is the call's. */
    RecordingReply serve(Call call, Outcome... outcomes) {
        return run(CallStart.Origin.CLIENT, call, outcomes);
    }

    /** The same for a call of the program itself. */
    RecordingReply make(Call call, Outcome... outcomes) {
        return run(CallStart.Origin.PROGRAM, call, outcomes);
    }

    private RecordingReply run(CallStart.Origin origin, Call call, Outcome... outcomes) {
        var reply = new RecordingReply();
        var observed = new AttemptStage(SERVER, this::isListed, any -> Duration.ofHours(1), List.of(), time);
        Next attempts = begun -> {
            for (var outcome : outcomes) {
                observed.handle(begun.newAttempt(begun.cancellation()), attempt -> {
                    sent.add(attempt.attemptTracer().sending(way));
                    attempt.complete(outcome);
                });
            }
            begun.complete(outcomes[outcomes.length - 1]);
        };
        new Pipeline()
                .add(Position.OBSERVERS, new ObserverList(List.of(observer), log).stage(origin, this::isListed))
                .handler(attempts, log)
                .handle(call, reply);
        return reply;
    }

    private boolean isListed(Call call) {
        return call.request()
                .text(io.mcpbridge.message.MessageField.NAME)
                .filter(listed::contains)
                .isPresent();
    }

    static Outcome result(String json) {
        return Outcome.answered(Response.result(MessageId.of(7), json));
    }

    static Outcome error(int code, String message) {
        return Outcome.answered(Response.error(MessageId.of(7), code, message));
    }

    List<SpanData> spans() {
        return spans.getFinishedSpanItems();
    }

    SpanData span(String name) {
        return only(spans(), span -> span.getName().equals(name), "span '" + name + "'");
    }

    MetricData metric(String name) {
        return only(
                List.copyOf(metrics.collectAllMetrics()),
                metric -> metric.getName().equals(name),
                "metric '" + name + "'");
    }

    List<String> metricNames() {
        return metrics.collectAllMetrics().stream().map(MetricData::getName).toList();
    }

    private static <T> T only(List<T> all, Function<T, Boolean> wanted, String what) {
        var found = all.stream().filter(wanted::apply).toList();
        if (found.size() != 1) {
            throw new AssertionError("there are %d of %s in %s".formatted(found.size(), what, all));
        }
        return found.get(0);
    }

    @Override
    public void close() {
        sdk.close();
    }
}
