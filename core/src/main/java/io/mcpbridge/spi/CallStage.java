package io.mcpbridge.spi;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** One step that every call passes: a limit, a breaker, a cache, the audit. Never waits; any thread may use it. */
public interface CallStage {

    /**
     * Passes the call, or an attempt of it, to {@code next}, now or later; or completes it. What this method throws
     * completes the call with an internal error.
     */
    void handle(CallContext call, Next next);

    /**
     * Hears how each attempt of a call ended, also where the stage stands outside of the attempts and only sees how the
     * last one did. Cheap; any thread.
     *
     * @param took how long ago the attempt began
     */
    default void attemptEnded(Call call, Outcome outcome, Duration took) {}

    /** Whether it keeps calls from a server that is in trouble; such a server is not healthy. Cheap; any thread. */
    default Optional<Outage> rejecting() {
        return Optional.empty();
    }

    /**
     * Why this tool cannot be called through the stage, such as one with an invalid schema; it is then treated as if its server did
     * not list it. Asked of stages at {@link Place#SCHEMA_CHECK}, on a worker, since an answer may take a while.
     */
    default Optional<String> unusable(ToolDefinition tool) {
        return Optional.empty();
    }

    /** Its present readings; cheap, from any thread. */
    default List<Measurement> readings() {
        return List.of();
    }

    /** The place of a stage in the way of a call, the outermost first; each place holds one stage at the most. */
    enum Place {
        /** Runs calls with the same key once; the one place of the whole daemon, before the stages of each server. */
        RUN_ONCE,
        /** Compares arguments and results with what the tool says of them. */
        SCHEMA_CHECK,
        /** Answers with what the server said before. */
        CACHE,
        /** Makes one call of calls that ask the same at the same time. */
        COALESCING,
        /** Bounds how many calls begin in a span of time; outside of the attempts. */
        RATE_LIMIT,
        /** Holds attempts off while the server fails. */
        BREAKER,
        /** Bounds how many attempts are under way at once. */
        CONCURRENCY;

        /** Whether the daemon has one stage for all servers. */
        public boolean isOfDaemon() {
            return this == RUN_ONCE;
        }
    }

    /** The rest of the pipeline behind a stage: the next stage, and in the end the server. */
    @FunctionalInterface
    interface Next {

        /** Passes {@code call} on, or an attempt of it, and returns without waiting. Any thread may call this. */
        void handle(CallContext call);
    }

    /**
     * That the calls of a server do not get to it at this moment.
     *
     * @param why in words for operators
     * @param since when that began
     */
    record Outage(String why, Instant since) {}
}
