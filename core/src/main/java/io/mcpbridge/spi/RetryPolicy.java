package io.mcpbridge.spi;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolHints;
import java.time.Duration;

/** Decides whether a failed attempt is repeated. Pure: a policy neither sleeps nor counts; any thread may use it. */
public interface RetryPolicy {

    /** Decides what follows {@code failed}. */
    Decision decide(Attempt failed);

    /** The maximum number of attempts of a call, including the first; 1 means no retries. */
    int maxAttempts();

    /**
     * An attempt that failed.
     *
     * @param number counts from 1
     * @param method the JSON-RPC method
     * @param failure the failure; a JSON-RPC error of the server is one too
     * @param hints the hints about repeating the tool, and their source; the specification's defaults for other methods
     * @param remaining the time for which the caller still waits
     * @param keyAgreed whether the attempt had an idempotency key, by which the server runs the call only once
     */
    record Attempt(int number, String method, Failure failure, ToolHints hints, Duration remaining, boolean keyAgreed) {

        /** An attempt without an idempotency key. */
        public Attempt(int number, String method, Failure failure, ToolHints hints, Duration remaining) {
            this(number, method, failure, hints, remaining, false);
        }

        /** A copy without an idempotency key. */
        public Attempt withoutKey() {
            return new Attempt(number, method, failure, hints, remaining);
        }
    }

    /** The step after a failed attempt. */
    sealed interface Decision permits Decision.Stop, Decision.InDoubt, Decision.Retry {

        /** Report the failure to the caller; {@code reason} explains in the log why the attempt is not repeated. */
        record Stop(String reason) implements Decision {}

        /**
         * Report to the caller that the call may have run and is therefore not repeated; {@code reason} completes the
         * sentence. The caller's failure is {@link io.mcpbridge.failure.ErrorCode#IN_DOUBT}.
         */
        record InDoubt(String reason) implements Decision {}

        /** Try again after {@code delay}, zero or longer. */
        record Retry(Duration delay) implements Decision {}
    }
}
