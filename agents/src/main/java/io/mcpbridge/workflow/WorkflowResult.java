package io.mcpbridge.workflow;

import io.mcpbridge.call.TraceParent;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.Json;
import io.mcpbridge.workflow.StepResult.State;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How a run of a workflow ended. Immutable.
 *
 * @param steps the result of each step, in the order of the file
 * @param reason the failure that stopped the run; null if none did
 * @param value what the workflow returns; null if it stopped
 * @param trace the trace of all its calls
 */
public record WorkflowResult(
        List<StepResult> steps,
        @Nullable Failure reason,
        @Nullable Object value,
        TraceParent trace) {

    public WorkflowResult {
        steps = List.copyOf(steps);
    }

    /** Whether the run reached its end. A step that failed and says {@code onError: continue} does not matter. */
    public boolean isOk() {
        return reason == null;
    }

    /** The failure that stopped the run, which says what ran; empty if none did. */
    public Optional<Failure> failure() {
        return Optional.ofNullable(reason);
    }

    /** One line on the steps by state, such as {@code OK: a, b; FAILED: c; NOT_RUN: d}. */
    public String summary() {
        return summary(steps);
    }

    static String summary(List<StepResult> steps) {
        return List.of(State.values()).stream()
                .map(state -> steps.stream()
                        .filter(step -> step.state() == state)
                        .map(step -> step.step() + (step.isInDoubt() ? " (may have run)" : ""))
                        .collect(Collectors.joining(", ", state + ": ", "")))
                .filter(line -> !line.endsWith(": "))
                .collect(Collectors.joining("; "));
    }

    /** What the workflow returns, as JSON. */
    public Json resultJson() {
        return value == null ? Json.ofChecked("null") : Json.of(value);
    }

    /** All of it as JSON. */
    public Json json() {
        var members = new LinkedHashMap<String, @Nullable Object>();
        members.put("ok", isOk());
        members.put("traceId", trace.traceId());
        members.put("steps", steps.stream().map(StepResult::members).toList());
        failure().ifPresent(why -> members.put("error", StepResult.error(why)));
        members.put("result", value);
        return Json.of(members);
    }
}
