package io.mcpbridge.telemetry;

import io.mcpbridge.call.AttemptTracer;
import io.mcpbridge.call.AttemptTracer.Additions;
import io.mcpbridge.call.AttemptTracer.Sending;
import io.mcpbridge.call.CallTracer.CallAttempt;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Traces one attempt of a call, or one request of the bridge itself: its {@code CLIENT} span, its duration metric and
 * the context that is sent to the server.
 */
final class AttemptSpan implements AttemptTracer {
    private final Telemetry telemetry;
    private final boolean isCounted;
    private final Attributes target;
    private final Span span;
    private final Context context;
    private final long since = System.nanoTime();
    private final AtomicBoolean isSent = new AtomicBoolean();
    private final AtomicBoolean isEnded = new AtomicBoolean();
    private volatile Attributes way = Attributes.empty();

    private AttemptSpan(Telemetry telemetry, boolean isCounted, Attributes target, Span span, Context context) {
        this.telemetry = telemetry;
        this.isCounted = isCounted;
        this.target = target;
        this.span = span;
        this.context = context;
    }

    /** Begins the span of an attempt of a call. */
    static AttemptSpan begin(Telemetry telemetry, CallAttempt attempt, Context parent) {
        return begin(telemetry, attempt, parent, true);
    }

    /** Begins the span of a request of the bridge itself; its parent is the span of the program that caused it. */
    static AttemptSpan ofOwn(Telemetry telemetry, CallAttempt own, TraceParent cause) {
        return begin(telemetry, own, context(cause), false);
    }

    private static Context context(TraceParent cause) {
        if (!cause.isPresent()) {
            return Context.root();
        }
        var flags = TraceFlags.fromHex(cause.flags(), 0);
        var place = SpanContext.create(cause.traceId(), cause.spanId(), flags, TraceState.getDefault());
        return Context.root().with(Span.wrap(place));
    }

    private static AttemptSpan begin(Telemetry telemetry, CallAttempt attempt, Context parent, boolean isCounted) {
        var target = RequestTarget.of(attempt.request());
        var span = telemetry.span(target.spanName(), SpanKind.CLIENT, parent);
        span.setAllAttributes(target.attributes());
        span.setAttribute(SemanticAttributes.SERVER, attempt.server());
        if (isCounted) {
            span.setAttribute(SemanticAttributes.ATTEMPT, (long) attempt.number());
        }
        span.setAttribute(SemanticAttributes.CORRELATION_ID, attempt.correlationId());
        attempt.request()
                .text(MessageField.URI)
                .ifPresent(uri -> span.setAttribute(SemanticAttributes.RESOURCE_URI, uri));
        var counted = target.in(telemetry.names(), attempt.namesListed()).attributes().toBuilder()
                .put(SemanticAttributes.SERVER, attempt.server())
                .build();
        return new AttemptSpan(telemetry, isCounted, counted, span, Telemetry.within(span, parent));
    }

    @Override
    public Additions sending(Sending sending) {
        if (isCounted && isSent.compareAndSet(false, true)) {
            var server =
                    Attributes.of(SemanticAttributes.SERVER, String.valueOf(target.get(SemanticAttributes.SERVER)));
            telemetry.instruments().queues().record(Telemetry.seconds(since), server, context);
        }
        way = NetworkAttributes.of(sending);
        span.setAllAttributes(way);
        span.setAttribute(SemanticAttributes.REQUEST_ID, SemanticAttributes.requestId(sending.id()));
        if (sending.version().era() == Era.LEGACY) {
            sending.session().ifPresent(session -> span.setAttribute(SemanticAttributes.SESSION, session));
        }
        return telemetry.propagation().additions(context);
    }

    @Override
    public void ended(Outcome outcome) {
        if (!isEnded.compareAndSet(false, true)) {
            return;
        }
        var result = SpanOutcome.ofAttempt(outcome);
        result.applyTo(span);
        if (outcome instanceof Outcome.Failed failed) {
            span.setAttribute(
                    SemanticAttributes.DELIVERY,
                    failed.failure().delivery().name().toLowerCase(Locale.ROOT));
        }
        span.end();
        measure(result);
    }

    private void measure(SpanOutcome result) {
        var all = target.toBuilder().putAll(way).putAll(result.attributes()).build();
        telemetry.instruments().clientOperations().record(Telemetry.seconds(since), all, context);
        if (!isCounted) {
            return;
        }
        var counted = Attributes.builder()
                .put(SemanticAttributes.SERVER, String.valueOf(target.get(SemanticAttributes.SERVER)))
                .put(SemanticAttributes.OUTCOME, result.isError() ? "error" : "ok")
                .putAll(result.attributes());
        telemetry.instruments().attempts().add(1, counted.build(), context);
    }
}
