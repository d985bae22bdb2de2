package io.mcpbridge.failure;

/** A peer sent an invalid message, or a valid one at the wrong time. */
public final class ProtocolException extends BridgeException {
    private static final long serialVersionUID = 1L;

    private ProtocolException(Failure failure) {
        super(failure);
    }

    /** A frame or a message breaks a rule of JSON, JSON-RPC or MCP. */
    public static ProtocolException malformed(ErrorCode code, String message) {
        return new ProtocolException(Failure.of(code, message));
    }

    /** A server's answer that cannot be used. */
    public static ProtocolException upstreamInvalid(String message) {
        return new ProtocolException(
                Failure.of(ErrorCode.UPSTREAM_INVALID, message).withDelivery(Delivery.ANSWERED));
    }
}
