package io.mcpbridge.telemetry;

import io.mcpbridge.call.AttemptTracer;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallTracer;
import io.mcpbridge.call.CallTracer.CallAttempt;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.spi.CallObserver.CallStart;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;
import java.util.concurrent.atomic.AtomicBoolean;

/** Traces one request of a client: its {@code SERVER} span and its duration metric. */
final class ServerCallSpan implements CallTracer {
    private final Telemetry telemetry;
    private final Attributes attributes;
    private final Span span;
    private final Context context;
    private final long since = System.nanoTime();
    private final AtomicBoolean isEnded = new AtomicBoolean();

    private ServerCallSpan(Telemetry telemetry, Attributes attributes, Span span, Context context) {
        this.telemetry = telemetry;
        this.attributes = attributes;
        this.span = span;
        this.context = context;
    }

    static ServerCallSpan begin(Telemetry telemetry, CallStart start) {
        var call = start.call();
        var target = RequestTarget.of(call.request());
        // The root context, since the current span of this thread belongs to another call.
        var propagation = telemetry.propagation();
        var parent = propagation.extract(call, Context.root());
        var span = telemetry.span(target.spanName(), SpanKind.SERVER, parent, propagation.linkedSpan(call, parent));
        var client = Attributes.builder()
                .put(
                        SemanticAttributes.PROTOCOL_VERSION,
                        call.caller().version().text())
                .putAll(NetworkAttributes.of(call.origin().remote()))
                .build();
        describe(span, call, target.attributes(), client);
        var counted = target.in(telemetry.names(), start.namesListed()).attributes().toBuilder()
                .putAll(client)
                .build();
        return new ServerCallSpan(telemetry, counted, span, Telemetry.within(span, parent));
    }

    private static void describe(Span span, Call call, Attributes target, Attributes client) {
        if (!span.isRecording()) {
            return;
        }
        var request = call.request();
        span.setAllAttributes(target);
        span.setAllAttributes(client);
        span.setAttribute(SemanticAttributes.REQUEST_ID, SemanticAttributes.requestId(request.id()));
        span.setAttribute(SemanticAttributes.CORRELATION_ID, call.correlationId());
        var remote = call.origin().remote();
        if (!remote.address().isEmpty()) {
            span.setAttribute(SemanticAttributes.CLIENT_ADDRESS, remote.address());
            span.setAttribute(SemanticAttributes.CLIENT_PORT, (long) remote.port());
        }
        request.text(MessageField.URI).ifPresent(uri -> span.setAttribute(SemanticAttributes.RESOURCE_URI, uri));
        var session = call.caller().session();
        if (call.caller().era() == Era.LEGACY && !session.isEmpty()) {
            span.setAttribute(SemanticAttributes.SESSION, session);
        }
    }

    @Override
    public AttemptTracer attempted(CallAttempt attempt) {
        return AttemptSpan.begin(telemetry, attempt, context);
    }

    @Override
    public TraceParent trace() {
        return Telemetry.trace(span);
    }

    @Override
    public void ended(Outcome outcome) {
        if (!isEnded.compareAndSet(false, true)) {
            return;
        }
        var result = SpanOutcome.ofServed(outcome);
        result.applyTo(span);
        span.end();
        var all = attributes.toBuilder().putAll(result.attributes()).build();
        telemetry.instruments().serverOperations().record(Telemetry.seconds(since), all, context);
    }
}
