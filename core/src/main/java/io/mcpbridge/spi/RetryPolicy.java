package io.mcpbridge.spi;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.tool.ToolHints;
import java.time.Duration;

/** Decides whether a failed attempt is repeated. Pure: it neither sleeps nor counts; any thread may use it. */
public interface RetryPolicy {

    /** Decides what follows {@code failed}. */
    Decision decide(Attempt failed);

    /** How often a call is tried at the most, the first time included; 1 never repeats. */
    int maxAttempts();

    /**
     * An attempt that failed.
     *
     * @param number counts from 1
     * @param method the JSON-RPC method
     * @param failure how it failed; a JSON-RPC error of the server is one too
     * @param hints what is said about repeating the tool, and by whom; the specification's defaults for other methods
     * @param remaining how long the caller still waits
     * @param keyAgreed whether it had a key by which its server runs it once, however often it comes there
     */
    record Attempt(int number, String method, Failure failure, ToolHints hints, Duration remaining, boolean keyAgreed) {

        /** One without a key. */
        public Attempt(int number, String method, Failure failure, ToolHints hints, Duration remaining) {
            this(number, method, failure, hints, remaining, false);
        }

        /** The same attempt as if nothing were agreed about a key. */
        public Attempt withoutKey() {
            return new Attempt(number, method, failure, hints, remaining);
        }
    }

    /** The step after a failed attempt. */
    sealed interface Decision {

        /** Tell the caller; {@code reason} says why it is not repeated, for the log. */
        record Stop(String reason) implements Decision {}

        /**
         * Tell the caller that the call may have run and is therefore not repeated; {@code reason} completes the
         * sentence. The caller's failure is {@link io.mcpbridge.failure.ErrorCode#IN_DOUBT}.
         */
        record InDoubt(String reason) implements Decision {}

        /** Try again after {@code delay}, zero or longer. */
        record Retry(Duration delay) implements Decision {}
    }
}
