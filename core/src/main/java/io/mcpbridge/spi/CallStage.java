package io.mcpbridge.spi;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.tool.ToolDefinition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One step of the call pipeline, such as a limit, a circuit breaker or a cache. Never blocks; any thread may use it.
 */
public interface CallStage {

    /**
     * Passes the call or an attempt of it to {@code next}, now or later, or completes it. An exception of this method
     * completes the call with an internal error.
     */
    void handle(CallContext call, Next next);

    /**
     * Called with the outcome of each attempt of a call, even for a stage outside of the attempts, which itself sees
     * only the last outcome. Cheap; any thread.
     *
     * @param took the duration of the attempt
     */
    default void attemptEnded(Call call, Outcome outcome, Duration took) {}

    /**
     * The outage for which the stage rejects calls to its server; empty if it rejects none. A server with an outage is
     * not healthy. Cheap; any thread.
     */
    default Optional<Outage> rejecting() {
        return Optional.empty();
    }

    /**
     * The reason why clients cannot call this tool through the stage, such as an invalid schema; empty if they can. The
     * bridge treats an unusable tool as if its server did not list it. Only stages at {@link Place#SCHEMA_CHECK} are
     * asked, on a worker thread, since the check may be slow.
     */
    default Optional<String> unusable(ToolDefinition tool) {
        return Optional.empty();
    }

    /** The current measurements of the stage. Cheap; any thread. */
    default List<GaugeReading> readings() {
        return List.of();
    }

    /** The position of a stage in the pipeline, the outermost first; each position has one stage at most. */
    enum Place {
        /**
         * Runs calls with the same key once; the only position with one stage for the whole daemon, before the stages
         * of each server.
         */
        RUN_ONCE,
        /**
         * Validates arguments and results against the schemas of the tool. A call that passes while the server cannot list
         * the tool comes again with each attempt.
         */
        SCHEMA_CHECK,
        /** Answers with cached responses of the server. */
        CACHE,
        /** Merges concurrent identical calls into one. */
        COALESCING,
        /** Limits the rate of calls; outside of the attempts. */
        RATE_LIMIT,
        /** Rejects attempts while the server fails. */
        BREAKER,
        /** Limits the number of concurrent attempts. */
        CONCURRENCY;

        /** Whether the daemon has one stage for all servers. */
        public boolean isOfDaemon() {
            return this == RUN_ONCE;
        }
    }

    /** The rest of the pipeline behind a stage: the next stage, and in the end the server. */
    @FunctionalInterface
    interface Next {

        /** Passes {@code call} or an attempt of it on, and returns without blocking. Any thread may call this. */
        void handle(CallContext call);
    }

    /**
     * A period in which the bridge rejects the calls to a server.
     *
     * @param why the reason, as text for operators
     * @param since the beginning of the period
     */
    record Outage(String why, Instant since) {}
}
