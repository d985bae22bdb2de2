package io.mcpbridge.failure;

/** Each attempt that the retry policy allows failed; the failure is the last one, and the cause tells it alone. */
public final class RetriesExhaustedException extends CallException {
    private static final long serialVersionUID = 1L;

    RetriesExhaustedException(Failure failure) {
        super(failure.withMessage(
                        "failed after all retries (%d attempts): %s".formatted(failure.attempts(), failure.message()))
                .withCause(failure.cause().orElseGet(() -> new CallFailedException(failure))));
    }
}
