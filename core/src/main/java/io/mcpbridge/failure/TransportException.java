package io.mcpbridge.failure;

/** A connection to a peer failed or broke. */
public final class TransportException extends BridgeException {
    private static final long serialVersionUID = 1L;

    private TransportException(Failure failure) {
        super(failure);
    }

    /** Wraps what a transport or a handshake reported. */
    public static TransportException of(Failure failure) {
        return new TransportException(failure);
    }

    /** The peer at {@code endpoint} did not answer. */
    public static TransportException unreachable(String endpoint, Throwable cause) {
        var message = "Cannot reach '%s': %s. Start the server or correct its address.";
        return new TransportException(
                Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, message.formatted(endpoint, ErrorText.of(cause)))
                        .withCause(cause));
    }

    /** The endpoint answered but the connection cannot be used. */
    public static TransportException initFailed(String message) {
        return new TransportException(Failure.of(ErrorCode.PROVIDER_INIT_FAILED, message));
    }
}
