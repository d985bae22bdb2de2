package io.mcpbridge.failure;

/**
 * A call got no answer; {@link #code()} is the reason. The subtypes are the cases that callers treat differently.
 *
 * <p>If all retries failed, the message states the number of attempts, and the cause has the last failure alone.
 */
public sealed class CallException extends BridgeException permits CallInDoubtException, CallTimedOutException {
    private static final long serialVersionUID = 1L;

    CallException(Failure failure) {
        super(failure);
    }

    /** Makes the exception that fits {@code failure}. */
    public static CallException of(Failure failure) {
        return switch (failure.code()) {
            case PROVIDER_TIMEOUT ->
                new CallTimedOutException(failure.attempts() > 1 ? afterAttempts(failure) : failure);
            case IN_DOUBT -> new CallInDoubtException(failure);
            case AUDIT_UNAVAILABLE -> new CallException(failure);
            default -> new CallException(areRetriesExhausted(failure) ? afterRetries(failure) : failure);
        };
    }

    private static Failure afterAttempts(Failure last) {
        return last.withMessage("%s (after %d attempts)".formatted(last.message(), last.attempts()));
    }

    private static boolean areRetriesExhausted(Failure failure) {
        return failure.attempts() > 1 && failure.retryable() && !failure.isBudgetSpent();
    }

    private static Failure afterRetries(Failure last) {
        var message = "failed after all retries (%d attempts): %s".formatted(last.attempts(), last.message());
        return last.withMessage(message).withCause(last.cause().orElseGet(() -> new CallException(last)));
    }
}
