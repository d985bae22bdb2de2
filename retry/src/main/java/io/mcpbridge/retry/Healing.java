package io.mcpbridge.retry;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.time.Duration;
import java.util.Set;

/** Tells failures of the moment from those that the same call would meet again. */
final class Healing {

    /**
     * What servers and networks cause. A limit, a drain or a missing audit of our own is left out: repeating at once
     * would only add to it, so the caller is told and may come back.
     */
    private static final Set<ErrorCode> CAUSED_BY_OTHERS = Set.of(
            ErrorCode.PROVIDER_UNAVAILABLE,
            ErrorCode.PROVIDER_TIMEOUT,
            ErrorCode.PROVIDER_CRASHED,
            ErrorCode.SERVER_ERROR);

    /** A server that is held off for longer is not waited for: its caller is told at once when to come back. */
    private static final Duration LONGEST_HOLD_OFF = Duration.ofSeconds(2);

    private Healing() {}

    /**
     * Whether another attempt may succeed. The transport and the core have judged statuses and the server's own codes
     * already, so their word is taken.
     */
    static boolean isLikely(Failure failure) {
        return failure.retryable() && CAUSED_BY_OTHERS.contains(failure.code()) && !isHeldOffForLong(failure);
    }

    private static boolean isHeldOffForLong(Failure failure) {
        var rest = failure.retryAfter().orElse(Duration.ZERO);
        return failure.isHeldOff() && rest.compareTo(LONGEST_HOLD_OFF) > 0;
    }
}
