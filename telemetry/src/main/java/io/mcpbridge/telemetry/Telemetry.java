package io.mcpbridge.telemetry;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
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
        return span(name, kind, parent, SpanContext.getInvalid());
    }

    /** The same with a link to another span, if that is valid. */
    Span span(String name, SpanKind kind, Context parent, SpanContext linked) {
        if (!hasSpans()) {
            return Span.getInvalid();
        }
        // A link to an invalid span is dropped by whoever makes the span.
        return tracer.spanBuilder(name)
                .setSpanKind(kind)
                .setParent(parent)
                .addLink(linked)
                .startSpan();
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
