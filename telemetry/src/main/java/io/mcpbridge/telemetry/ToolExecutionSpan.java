package io.mcpbridge.telemetry;

import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.CallWatch;
import io.mcpbridge.call.CallWatch.CallAttempt;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.spi.CallObserver.CallStart;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Context;

/**
 * A call of the embedding program. Its attempts are children of the program's current span; without one, a tool call
 * gets an {@code execute_tool} span as their parent.
 */
final class ToolExecutionSpan implements CallWatch {
    private final Telemetry telemetry;
    private final Span span;
    private final Context context;

    private ToolExecutionSpan(Telemetry telemetry, Span span, Context context) {
        this.telemetry = telemetry;
        this.span = span;
        this.context = context;
    }

    static ToolExecutionSpan begin(Telemetry telemetry, CallStart start) {
        var request = start.call().request();
        var parent = telemetry.propagation().extractFromMeta(request, Context.current());
        var target = RequestTarget.of(request, start.namesListed());
        if (!target.isTool() || Span.fromContext(parent).getSpanContext().isValid()) {
            return new ToolExecutionSpan(telemetry, Span.getInvalid(), parent);
        }
        var name = SemanticAttributes.EXECUTE_TOOL + " " + target.name();
        var span = telemetry.span(name, SpanKind.INTERNAL, parent);
        span.setAttribute(SemanticAttributes.OPERATION, SemanticAttributes.EXECUTE_TOOL);
        span.setAttribute(SemanticAttributes.TOOL, target.name());
        span.setAttribute(SemanticAttributes.CORRELATION_ID, start.call().correlationId());
        return new ToolExecutionSpan(telemetry, span, Telemetry.within(span, parent));
    }

    @Override
    public AttemptWatch attempted(CallAttempt attempt) {
        return AttemptSpan.begin(telemetry, attempt, context);
    }

    @Override
    public void ended(Outcome outcome) {
        SpanOutcome.ofAttempt(outcome).applyTo(span);
        span.end();
    }
}
