package io.mcpbridge.failure;

/**
 * A failure that peers or operators caused; catch a subtype to react to one kind.
 *
 * <p>The message names the cause, quotes its value and tells the rule. The {@linkplain #code() code} stays the same
 * across releases.
 */
public abstract sealed class BridgeException extends RuntimeException
        permits CallException, ConfigurationException, ProtocolException, TransportException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    BridgeException(Failure failure) {
        super(failure.message(), failure.cause().orElse(null));
        this.failure = failure;
    }

    /** The failure as a value, with all details. */
    public final Failure failure() {
        return failure;
    }

    public final ErrorCode code() {
        return failure.code();
    }

    /** The number of attempts, at least 1. */
    public final int attempts() {
        return failure.attempts();
    }

    /** Whether the same call may succeed if it is repeated. */
    public final boolean retryable() {
        return failure.retryable();
    }

    /** How far the request got. */
    public final Delivery delivery() {
        return failure.delivery();
    }
}
