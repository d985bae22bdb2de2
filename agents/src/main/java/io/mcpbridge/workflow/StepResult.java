package io.mcpbridge.workflow;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.tool.Json;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How a step ended. Immutable.
 *
 * @param value what references to the step point to; empty unless it ran
 * @param reason the failure of a step that failed; null for other steps
 * @param calls how many calls of its tool were made
 */
public record StepResult(
        String step,
        State state,
        Map<String, @Nullable Object> value,
        @Nullable Failure reason,
        int calls,
        Duration duration) {

    /** The states of a step after a run. */
    public enum State {
        OK,
        FAILED,
        /** Its condition did not hold, or it uses the value of a skipped step. */
        SKIPPED,
        /** The workflow stopped before. */
        NOT_RUN
    }

    /** The members that the value of a step can have. */
    static Set<String> members(boolean isQuestion, boolean isRepeated) {
        var known = new TreeSet<>(Set.of("text", "isError", "error"));
        known.add(isRepeated ? "results" : "structuredContent");
        if (!isQuestion && !isRepeated) {
            known.addAll(Set.of("content", "correlationId"));
        }
        return known;
    }

    static StepResult without(WorkflowStep step, State state) {
        return new StepResult(step.name(), state, Map.of(), null, 0, Duration.ZERO);
    }

    /** The failure; empty if the step did not fail. */
    public Optional<Failure> failure() {
        return Optional.ofNullable(reason);
    }

    /** Whether a call of the step may have run, though it has no answer. */
    public boolean isInDoubt() {
        return failure().filter(why -> why.delivery() == Delivery.UNKNOWN).isPresent();
    }

    /** Whether a call of the step ran or may have run. */
    boolean hasRun() {
        return calls > 0 && failure().filter(StepResult::isUnsent).isEmpty();
    }

    static boolean isUnsent(Failure why) {
        return why.delivery() == Delivery.NOT_SENT || why.delivery() == Delivery.REJECTED;
    }

    /** The members of its JSON form. */
    Map<String, Object> members() {
        var members = new LinkedHashMap<String, Object>();
        members.put("name", step);
        members.put("state", state.name());
        members.put("calls", calls);
        members.put("durationMs", duration.toMillis());
        failure().ifPresent(why -> members.put("error", error(why)));
        if (!value.isEmpty()) {
            members.put("value", value);
        }
        return members;
    }

    static Map<String, Object> error(Failure why) {
        var members = new LinkedHashMap<String, Object>();
        members.put("code", why.code().name());
        members.put("message", why.message());
        members.put("delivery", why.delivery().name());
        return members;
    }

    /** The data of the value: structured content, else the JSON in the text, else the text. */
    @Nullable
    Object data() {
        return data(value);
    }

    private static @Nullable Object data(Map<String, @Nullable Object> value) {
        if (value.get("results") instanceof List<?> results) {
            return results.stream().map(each -> data(References.members(each))).toList();
        }
        var structured = value.get("structuredContent");
        return structured == null && value.get("text") instanceof String text ? parsed(text) : structured;
    }

    private static @Nullable Object parsed(String text) {
        var begin = text.stripLeading();
        if (!begin.startsWith("{") && !begin.startsWith("[")) {
            return text;
        }
        try {
            return Json.parse(text).value();
        } catch (ProtocolException notJson) {
            return text;
        }
    }
}
