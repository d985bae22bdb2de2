package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Handler;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.CallStage.Place;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Assembles call stages in the order of {@link Position}, which is the one list of that order, from the client to the
 * connection. Not thread-safe; the handlers that it returns are.
 */
public final class Pipeline {
    /** The end of the bridge's stages: passes a call to the destination that {@link Position#RESOLVE} found. */
    public static final Next TO_DESTINATION =
            call -> PipelineCall.of(call).destination().next().handle(call);

    private final Map<Position, CallStage> stages = new EnumMap<>(Position.class);

    /** The positions of stages, in the order in which calls pass them. */
    public enum Position {
        /** Logs the failures of tool calls that no later stage has logged. */
        FAILURE_LOG,
        /** Counts the calls under way, and rejects new ones while the daemon drains. */
        DRAIN,
        /** Lists, searches and calls tools for users who search. */
        TOOL_SEARCH,
        /** Observes the call. */
        OBSERVERS,
        /** Finds the destination. */
        RESOLVE,
        /** Records the call. */
        AUDIT,
        /** Cancels the call when its deadline comes. */
        OVERALL_DEADLINE,
        /** Runs calls with the same key of their client once. */
        RUN_ONCE,
        // The call goes to its destination here; the following stages belong to one server.
        /** Counts the calls of the server that are under way. */
        SERVER_CALLS,
        /** Translates between the eras of the client and of the server. */
        TRANSLATION,
        /** Publishes the ends of tool calls. */
        TOOL_EVENTS,
        /** Compares arguments and results with the schemas of the tool. */
        SCHEMA_CHECK,
        /** Answers with an earlier response. */
        CACHE,
        /** Combines equal concurrent calls. */
        COALESCING,
        /** Limits how many calls begin in a span of time. */
        RATE_LIMIT,
        /** Makes the attempts; the following stages see one attempt. */
        RETRY,
        /** Rejects attempts while the server fails. */
        BREAKER,
        /** Limits how many attempts are under way. */
        CONCURRENCY,
        /** Checks what the schema check could not, since the server had not listed the tool. */
        LATE_SCHEMA_CHECK,
        /** Observes the attempt and sets its deadline; the connection follows. */
        ATTEMPT;

        /** Returns the position of a plug-in stage, which has the name of its place. */
        public static Position of(Place place) {
            return valueOf(place.name());
        }
    }

    public Pipeline add(Position position, CallStage stage) {
        if (stages.putIfAbsent(position, stage) != null) {
            throw new IllegalStateException("two stages at %s".formatted(position));
        }
        return this;
    }

    public Pipeline add(Position position, Optional<? extends CallStage> stage) {
        stage.ifPresent(there -> add(position, there));
        return this;
    }

    /** Returns a handler that passes each call through the stages to {@code last}. */
    public Next before(Next last) {
        var order = stages.values().toArray(CallStage[]::new);
        // A stage may pass a call on later, outside of its own guard. ATTEMPT passes calls on at once.
        Next next = stages.containsKey(Position.ATTEMPT) ? last : new Guarded(null, last);
        for (int i = order.length - 1; i >= 0; i--) {
            next = new Guarded(order[i], next);
        }
        return next;
    }

    /** Returns a handler that passes each client request through the stages to {@code last}. */
    public Handler handler(Next last, System.Logger logger) {
        var first = before(last);
        return (call, reply) -> first.handle(new PipelineCall(call, reply, logger));
    }

    /**
     * A stage with its successor; without a stage, the successor of the last one. An exception of the stage ends this
     * call only.
     */
    private record Guarded(@Nullable CallStage stage, Next next) implements Next {

        @Override
        public void handle(CallContext call) {
            try {
                if (stage == null) {
                    next.handle(call);
                } else {
                    stage.handle(call, next);
                }
            } catch (RuntimeException | LinkageError defect) {
                PipelineCall.of(call).fail(defect);
            }
        }
    }
}
