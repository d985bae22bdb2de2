package io.mcpbridge.telemetry;

import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallAttempt;
import io.mcpbridge.call.CallStart;
import io.mcpbridge.call.CallWatch;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Part;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import java.util.concurrent.atomic.AtomicBoolean;

/** A request of a client that is served: the {@code SERVER} span and the duration. */
final class ServedCall implements CallWatch {
    private final Telemetry telemetry;
    private final Attributes attributes;
    private final Span span;
    private final Context context;
    private final long since = System.nanoTime();
    private final AtomicBoolean isEnded = new AtomicBoolean();

    private ServedCall(Telemetry telemetry, Attributes attributes, Span span, Context context) {
        this.telemetry = telemetry;
        this.attributes = attributes;
        this.span = span;
        this.context = context;
    }

    static ServedCall begin(Telemetry telemetry, CallStart start) {
        var call = start.call();
        var target = Target.of(call.request(), start.namesListed());
        // What runs on this thread by chance, such as another call's span, is not the parent.
        var propagation = telemetry.propagation();
        var parent = propagation.of(call, Context.root());
        var span = telemetry.span(target.spanName(), SpanKind.SERVER, parent, propagation.beside(call, parent));
        var attributes = target.attributes().toBuilder()
                .put(Keys.PROTOCOL_VERSION, call.caller().version().text())
                .putAll(Way.of(call.remote()))
                .build();
        describe(span, call, attributes);
        return new ServedCall(telemetry, attributes, span, Telemetry.within(span, parent));
    }

    private static void describe(Span span, Call call, Attributes attributes) {
        if (!span.isRecording()) {
            return;
        }
        var request = call.request();
        span.setAllAttributes(attributes);
        span.setAttribute(Keys.REQUEST_ID, RequestIds.text(request.id()));
        span.setAttribute(Keys.CORRELATION_ID, call.correlationId());
        var remote = call.remote();
        if (!remote.address().isEmpty()) {
            span.setAttribute(Keys.CLIENT_ADDRESS, remote.address());
            span.setAttribute(Keys.CLIENT_PORT, (long) remote.port());
        }
        request.text(Part.URI).ifPresent(uri -> span.setAttribute(Keys.RESOURCE_URI, uri));
        var session = call.caller().session();
        if (call.caller().era() == Era.LEGACY && !session.isEmpty()) {
            span.setAttribute(Keys.SESSION, session);
        }
    }

    @Override
    public AttemptWatch attempted(CallAttempt attempt) {
        return AttemptSpan.begin(telemetry, attempt, context);
    }

    @Override
    public TraceParent trace() {
        var place = span.getSpanContext();
        var flags = place.getTraceFlags().asHex();
        return place.isValid() ? TraceParent.of(place.getTraceId(), place.getSpanId(), flags) : TraceParent.NONE;
    }

    @Override
    public void ended(Outcome outcome) {
        if (!isEnded.compareAndSet(false, true)) {
            return;
        }
        var verdict = Verdict.ofServed(outcome);
        verdict.tell(span);
        span.end();
        var all = attributes.toBuilder().putAll(verdict.attributes()).build();
        telemetry.instruments().serverOperations().record(Telemetry.seconds(since), all, context);
    }
}
