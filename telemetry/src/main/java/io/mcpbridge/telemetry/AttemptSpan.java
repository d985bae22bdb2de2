package io.mcpbridge.telemetry;

import io.mcpbridge.call.Additions;
import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.CallAttempt;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Sending;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Part;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One attempt of a call at a server, or one request of the bridge's own: the {@code CLIENT} span, the duration, and the
 * context that goes to the server.
 */
final class AttemptSpan implements AttemptWatch {
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

    /** An attempt of a call. */
    static AttemptSpan begin(Telemetry telemetry, CallAttempt attempt, Context parent) {
        return begin(telemetry, attempt, parent, true);
    }

    /** A request of the bridge's own, which is in the span of the program that made it necessary, if that waits for it. */
    static AttemptSpan ofOwn(Telemetry telemetry, CallAttempt own) {
        return begin(telemetry, own, Context.current(), false);
    }

    private static AttemptSpan begin(Telemetry telemetry, CallAttempt attempt, Context parent, boolean isCounted) {
        var call = attempt.call();
        var target = Target.of(call.request(), attempt.namesListed());
        var span = telemetry.span(target.spanName(), SpanKind.CLIENT, parent);
        var attributes = target.attributes().toBuilder()
                .put(Keys.SERVER, attempt.server())
                .build();
        span.setAllAttributes(attributes);
        if (isCounted) {
            span.setAttribute(Keys.ATTEMPT, (long) attempt.number());
        }
        span.setAttribute(Keys.CORRELATION_ID, call.correlationId());
        call.request().text(Part.URI).ifPresent(uri -> span.setAttribute(Keys.RESOURCE_URI, uri));
        return new AttemptSpan(telemetry, isCounted, attributes, span, Telemetry.within(span, parent));
    }

    @Override
    public Additions sending(Sending sending) {
        if (isCounted && isSent.compareAndSet(false, true)) {
            var server = Attributes.of(Keys.SERVER, String.valueOf(target.get(Keys.SERVER)));
            telemetry.instruments().queues().record(Telemetry.seconds(since), server, context);
        }
        way = Way.of(sending);
        span.setAllAttributes(way);
        span.setAttribute(Keys.REQUEST_ID, RequestIds.text(sending.id()));
        if (sending.version().era() == Era.LEGACY) {
            sending.session().ifPresent(session -> span.setAttribute(Keys.SESSION, session));
        }
        return telemetry.propagation().additions(context);
    }

    @Override
    public void ended(Outcome outcome) {
        if (!isEnded.compareAndSet(false, true)) {
            return;
        }
        var verdict = Verdict.ofAttempt(outcome);
        verdict.tell(span);
        if (outcome instanceof Outcome.Failed failed) {
            span.setAttribute(Keys.DELIVERY, failed.failure().delivery().name().toLowerCase(Locale.ROOT));
        }
        span.end();
        measure(verdict);
    }

    private void measure(Verdict verdict) {
        var all = target.toBuilder().putAll(way).putAll(verdict.attributes()).build();
        telemetry.instruments().clientOperations().record(Telemetry.seconds(since), all, context);
        if (!isCounted) {
            return;
        }
        var counted = Attributes.builder()
                .put(Keys.SERVER, String.valueOf(target.get(Keys.SERVER)))
                .put(Keys.OUTCOME, verdict.isError() ? "error" : "ok")
                .putAll(verdict.attributes());
        telemetry.instruments().attempts().add(1, counted.build(), context);
    }
}
