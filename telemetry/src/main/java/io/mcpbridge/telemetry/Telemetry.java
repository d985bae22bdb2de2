package io.mcpbridge.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/**
 * What the watches of all calls share.
 *
 * @param tracer makes their spans
 * @param instruments measure them
 * @param propagation reads and writes their context
 * @param settings whether there are spans at all
 */
record Telemetry(Tracer tracer, Instruments instruments, Propagation propagation, TelemetrySettings settings) {

    /** Begins a span, or one that nobody hears of where spans are off. */
    Span span(String name, SpanKind kind, Context parent) {
        if (!hasSpans()) {
            return Span.getInvalid();
        }
        SpanBuilder builder = tracer.spanBuilder(name).setSpanKind(kind).setParent(parent);
        return builder.startSpan();
    }

    boolean hasSpans() {
        return settings.spans() == TelemetrySettings.Spans.AUTO;
    }

    /** The context of what happens within {@code span}. */
    static Context within(Span span, Context parent) {
        return span.getSpanContext().isValid() ? parent.with(span) : parent;
    }

    static double seconds(long sinceNanos) {
        return (double) (System.nanoTime() - sinceNanos) / 1e9;
    }
}
