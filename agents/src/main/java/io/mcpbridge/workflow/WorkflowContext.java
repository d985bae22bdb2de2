package io.mcpbridge.workflow;

import io.mcpbridge.ElicitationHandler;
import io.mcpbridge.call.TraceParent;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one run of a workflow starts with. Immutable.
 *
 * @param values the context, to which references such as {@code ${context.number}} point; made of what JSON has
 * @param questions answers the steps that {@code ask}
 * @param listener learns when steps begin and end
 * @param trace the trace that the run belongs to; {@link TraceParent#NONE} for a trace of its own
 */
public record WorkflowContext(
        Map<String, ? extends @Nullable Object> values,
        ElicitationHandler questions,
        WorkflowListener listener,
        TraceParent trace) {
    private static final ElicitationHandler NO_USER = request -> {
        throw new IllegalStateException("no user can be asked");
    };

    public WorkflowContext {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** A context of these values, without a user to ask. */
    public static WorkflowContext of(Map<String, ? extends @Nullable Object> values) {
        return new WorkflowContext(values, NO_USER, new WorkflowListener() {}, TraceParent.NONE);
    }

    public WorkflowContext withElicitationHandler(ElicitationHandler handler) {
        return new WorkflowContext(values, handler, listener, trace);
    }

    public WorkflowContext withListener(WorkflowListener newListener) {
        return new WorkflowContext(values, questions, newListener, trace);
    }

    public WorkflowContext withTrace(TraceParent newTrace) {
        return new WorkflowContext(values, questions, listener, newTrace);
    }

    WorkflowContext with(Map<String, ? extends @Nullable Object> newValues, TraceParent newTrace) {
        return new WorkflowContext(newValues, questions, listener, newTrace);
    }
}
