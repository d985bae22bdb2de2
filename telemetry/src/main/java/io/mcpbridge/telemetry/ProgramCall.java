package io.mcpbridge.telemetry;

import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.CallAttempt;
import io.mcpbridge.call.CallStart;
import io.mcpbridge.call.CallWatch;
import io.mcpbridge.call.Outcome;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;

/**
 * A call that the program makes. Its attempts belong to the span that the program is in; where there is none and it
 * calls a tool, to an {@code execute_tool} span that holds them together.
 */
final class ProgramCall implements CallWatch {
    private final Telemetry telemetry;
    private final Span span;
    private final Context context;

    private ProgramCall(Telemetry telemetry, Span span, Context context) {
        this.telemetry = telemetry;
        this.span = span;
        this.context = context;
    }

    static ProgramCall begin(Telemetry telemetry, CallStart start) {
        var request = start.call().request();
        var parent = telemetry.propagation().ofMeta(request, Context.current());
        var target = Target.of(request, start.namesListed());
        if (!target.isTool() || Span.fromContext(parent).getSpanContext().isValid()) {
            return new ProgramCall(telemetry, Span.getInvalid(), parent);
        }
        var name = Keys.EXECUTE_TOOL + " " + target.name();
        var span = telemetry.span(name, SpanKind.INTERNAL, parent);
        span.setAttribute(Keys.OPERATION, Keys.EXECUTE_TOOL);
        span.setAttribute(Keys.TOOL, target.name());
        span.setAttribute(Keys.CORRELATION_ID, start.call().correlationId());
        return new ProgramCall(telemetry, span, Telemetry.within(span, parent));
    }

    @Override
    public AttemptWatch attempted(CallAttempt attempt) {
        return AttemptSpan.begin(telemetry, attempt, context);
    }

    @Override
    public void ended(Outcome outcome) {
        Verdict.ofAttempt(outcome).tell(span);
        span.end();
    }
}
