package io.mcpbridge.retry;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.time.Duration;
import java.util.Set;

/** Classifies failures as recoverable by another attempt or permanent. */
final class RecoverableErrors {

    /**
     * Failures of servers and networks. Excludes limits, drains and audit failures of the bridge, since an immediate
     * retry would only add load.
     */
    private static final Set<ErrorCode> RETRYABLE = Set.of(
            ErrorCode.PROVIDER_UNAVAILABLE,
            ErrorCode.PROVIDER_TIMEOUT,
            ErrorCode.PROVIDER_CRASHED,
            ErrorCode.SERVER_ERROR);

    /** While a circuit breaker stays open for longer than this, the call fails at once. */
    private static final Duration MAX_OPEN_TIME = Duration.ofSeconds(2);

    private RecoverableErrors() {}

    /**
     * Whether another attempt may succeed. The transport and the core have already classified status codes and error
     * codes.
     */
    static boolean includes(Failure failure) {
        return failure.retryable() && RETRYABLE.contains(failure.code()) && !isOpenForLong(failure);
    }

    private static boolean isOpenForLong(Failure failure) {
        var rest = failure.retryAfter().orElse(Duration.ZERO);
        return failure.isBreakerOpen() && rest.compareTo(MAX_OPEN_TIME) > 0;
    }
}
