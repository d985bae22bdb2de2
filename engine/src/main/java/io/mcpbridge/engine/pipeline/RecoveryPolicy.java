package io.mcpbridge.engine.pipeline;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Decides whether to resend a request that a server rejected because of a wrong assumption of the bridge: about a
 * session, credentials, the era or headers. A call is resent once per cause, whatever the retry policy says. Immutable.
 *
 * @param reconnects whether a lost connection is replaced
 */
public record RecoveryPolicy(boolean reconnects) {

    /** The assumption that the server rejected. */
    public enum Cause {
        /** The server no longer knows the session. */
        SESSION_LOST,
        /** The server refused the credentials of the request (401). */
        UNAUTHORIZED,
        /** The server speaks another revision or era than the bridge assumed. */
        WRONG_ERA,
        /** A modern server found that the headers contradict the body of the request. */
        WRONG_HEADERS
    }

    /** Removes the cause of a rejection. Never waits; any thread. */
    @FunctionalInterface
    public interface Remedy {
        /** Does nothing, since the cause is removed already. */
        Remedy DONE = (then, failed) -> then.run();

        /** Calls either {@code then}, when the request may be sent again, or {@code failed}; once. */
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
