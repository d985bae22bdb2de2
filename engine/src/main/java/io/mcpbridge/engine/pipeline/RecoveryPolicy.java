package io.mcpbridge.engine.pipeline;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Decides whether a request is sent again that a server rejected because of something the bridge assumed: a session, its
 * credentials, an era, headers. Each cause is recovered from once per call, whatever the retry policy says. Pure.
 *
 * @param reconnects whether a connection that was lost is replaced
 */
public record RecoveryPolicy(boolean reconnects) {

    /** What the server rejected. */
    public enum Cause {
        /** The server does not know the session any more. */
        SESSION_LOST,
        /** The server refused the credentials of the request (401). */
        UNAUTHORIZED,
        /** The server speaks another revision or era than it was found to. */
        WRONG_ERA,
        /** A modern server found the headers of the request at odds with its body. */
        WRONG_HEADERS
    }

    /** Removes the cause of a rejection. Never waits; any thread. */
    @FunctionalInterface
    public interface Remedy {
        /** Where the next attempt finds the cause removed already. */
        Remedy DONE = (then, failed) -> then.run();

        /** Runs {@code then} when the request may be sent again, or passes on why it may not: one of them, once. */
        void apply(Runnable then, Consumer<Failure> failed);
    }

    /**
     * Why a server rejected an attempt.
     *
     * @param remedy removes the cause before the request is sent again
     */
    record Rejection(Cause cause, Remedy remedy) {}

    /**
     * Whether a rejected request is sent again.
     *
     * @param why its failure
     * @param recovered the causes for which the same call was sent again already
     */
    boolean resends(Cause cause, Failure why, Set<Cause> recovered) {
        if (recovered.contains(cause) || mayHaveRun(why)) {
            return false;
        }
        return switch (cause) {
            case SESSION_LOST, WRONG_ERA -> reconnects;
            case UNAUTHORIZED, WRONG_HEADERS -> true;
        };
    }

    private static boolean mayHaveRun(Failure why) {
        return why.delivery() != Delivery.REJECTED && why.delivery() != Delivery.NOT_SENT;
    }
}
