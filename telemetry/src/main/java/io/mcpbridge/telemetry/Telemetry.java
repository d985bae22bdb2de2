package io.mcpbridge.telemetry;

import io.mcpbridge.call.TraceParent;
import io.mcpbridge.telemetry.RequestTarget.MetricNames;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/**
 * The objects that all spans share.
 *
 * @param tracer creates the spans
 * @param instruments record the metrics
 * @param propagation extracts and injects the trace context
 * @param names the names in metrics
 * @param settings whether spans are on
 */
record Telemetry(
        Tracer tracer,
        Instruments instruments,
        ContextPropagation propagation,
        MetricNames names,
        TelemetrySettings settings) {

    /** Begins a span, or an invalid one if spans are off. */
    Span span(String name, SpanKind kind, Context parent) {
        return span(name, kind, parent, SpanContext.getInvalid());
    }

    /** Begins a span with a link to another one, if that is valid. */
    Span span(String name, SpanKind kind, Context parent, SpanContext linked) {
        if (settings.spans() == TelemetrySettings.Spans.OFF) {
            return Span.getInvalid();
        }
        // The builder ignores a link to an invalid span.
        return tracer.spanBuilder(name)
                .setSpanKind(kind)
                .setParent(parent)
                .addLink(linked)
                .startSpan();
    }

    /** The context for children of {@code span}. */
    static Context within(Span span, Context parent) {
        return span.getSpanContext().isValid() ? parent.with(span) : parent;
    }

    /** The place of a span in its trace. */
    static TraceParent trace(Span span) {
        var place = span.getSpanContext();
        var flags = place.getTraceFlags().asHex();
        return place.isValid() ? TraceParent.of(place.getTraceId(), place.getSpanId(), flags) : TraceParent.NONE;
    }

    static double seconds(long sinceNanos) {
        return (double) (System.nanoTime() - sinceNanos) / 1e9;
    }
}
