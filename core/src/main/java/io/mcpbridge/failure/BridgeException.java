package io.mcpbridge.failure;

import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A failure that peers or operators caused; catch a subtype to react to one kind.
 *
 * <p>The message names the cause, quotes its value and tells the rule. The {@linkplain #code() code} stays the same
 * across releases. The {@linkplain #getCause() cause} is the exception of the transport if it had one. Else that of a
 * JSON-RPC error, an HTTP status, a lost connection and a crashed server is an {@link IOException} that names it, and
 * that of a time-out a {@link TimeoutException}. What the bridge itself rejects before it is sent has no cause, since
 * nothing else failed.
 */
public abstract sealed class BridgeException extends RuntimeException
        permits CallException, ConfigurationException, ProtocolException, TransportException {
    private static final long serialVersionUID = 1L;

    private final transient Failure failure;

    BridgeException(Failure failure) {
        super(failure.message(), failure.cause().orElseGet(() -> cause(failure)));
        this.failure = failure;
    }

    /** The cause of a failure that no exception caused: the answer or the end of the peer, or the deadline. */
    private static @Nullable Throwable cause(Failure failure) {
        if (failure.serverError().isPresent()) {
            var error = failure.serverError().get();
            return new IOException("JSON-RPC error %d: %s".formatted(error.code(), error.message()));
        }
        // With the status of a success, the connection broke after the head of the response.
        var isAnswered = failure.status().isPresent() && failure.status().getAsInt() >= 300;
        var isLost = failure.origin() == ErrorCode.PROVIDER_CRASHED
                || (failure.origin() == ErrorCode.PROVIDER_UNAVAILABLE && failure.delivery() != Delivery.NOT_SENT);
        if (isLost && !isAnswered) {
            return new IOException(failure.message());
        }
        if (failure.status().isPresent()) {
            return new IOException("HTTP status " + failure.status().getAsInt());
        }
        return failure.origin() == ErrorCode.PROVIDER_TIMEOUT ? new TimeoutException(failure.message()) : null;
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
