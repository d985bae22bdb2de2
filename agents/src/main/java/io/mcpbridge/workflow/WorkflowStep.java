package io.mcpbridge.workflow;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A step of a workflow: a call of a tool, or a question to the user. Immutable; {@link Workflow} makes it.
 */
public final class WorkflowStep {
    private final String name;
    private final Action action;
    private final Order order;
    private final Set<String> dependsOn;
    private final Condition when;
    private final @Nullable ForEach forEach;
    private final Handling handling;

    WorkflowStep(
            String name, Action action, Order order, Condition when, Optional<ForEach> forEach, Handling handling) {
        this.name = name;
        this.action = action;
        this.order = order;
        this.dependsOn = new TreeSet<>(order.uses);
        this.dependsOn.addAll(order.after);
        this.when = when;
        this.forEach = forEach.orElse(null);
        this.handling = handling;
    }

    public String name() {
        return name;
    }

    /** The tool as {@code <server>.<tool>}; empty for a question. */
    public Optional<String> tool() {
        return action.tool.isEmpty() ? Optional.empty() : Optional.of(action.tool);
    }

    /** The names of the steps that end before this one begins. */
    public Set<String> dependsOn() {
        return Collections.unmodifiableSet(dependsOn);
    }

    /** What happens if the step fails. */
    public OnError onError() {
        return handling.onError;
    }

    String server() {
        return action.tool.substring(0, action.tool.indexOf('.'));
    }

    String toolOfServer() {
        return action.tool.substring(action.tool.indexOf('.') + 1);
    }

    /** The arguments of the tool, or {@code message} and {@code schema} of the question. */
    Map<String, @Nullable Object> params() {
        return action.params;
    }

    /** The steps whose values this one needs. */
    Set<String> uses() {
        return order.uses;
    }

    /** The name in the context that the data of the result gets; empty if there is none. */
    String assign() {
        return order.assign;
    }

    Condition when() {
        return when;
    }

    Optional<ForEach> forEach() {
        return Optional.ofNullable(forEach);
    }

    Optional<Duration> timeout() {
        return Optional.ofNullable(handling.timeout);
    }

    @Override
    public String toString() {
        return "step " + name;
    }

    /** What happens if a step fails. */
    public enum OnError {
        /** Steps that run end; no other step begins. */
        STOP,
        /** The other steps begin as if it had not failed. */
        CONTINUE,
        /** The step is tried again, as often as its call may be repeated; then the workflow stops. */
        RETRY;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** @param tool the empty string for a question */
    record Action(String tool, Map<String, @Nullable Object> params) {}

    /**
     * @param uses the steps whose values the step needs
     * @param after the other steps that it waits for
     */
    record Order(Set<String> uses, Set<String> after, String assign) {}

    /** @param timeout for the whole step; null for the time-outs of its server */
    record Handling(OnError onError, @Nullable Duration timeout) {}

    /**
     * The repetition of a step for each element of a list.
     *
     * @param items a list or a reference to one
     * @param max the largest number of elements
     * @param parallel how many run at the same time
     */
    record ForEach(Object items, int max, int parallel) {
        static final int USUAL_MAX = 1_000;
        static final int LARGEST_MAX = 10_000;
        static final int LARGEST_PARALLEL = 32;

        /** Says that a list has too many elements. */
        String tooLong(List<?> list) {
            return "'forEach' has %d elements but may have at most %d; raise 'max' or shorten the list"
                    .formatted(list.size(), max);
        }
    }
}
