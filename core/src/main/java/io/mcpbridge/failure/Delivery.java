package io.mcpbridge.failure;

/**
 * How far a request got, which decides whether it may be repeated.
 *
 * <p>The value is the bridge's own observation.
 */
public enum Delivery {
    /** No byte was accepted by the transport; repeating is always safe. */
    NOT_SENT,
    /** The server rejected the request before dispatch, such as with 401, 429 or a lost session. */
    REJECTED,
    /** The request was handed over and no answer to it was read; the server may have run it. */
    UNKNOWN,
    /** The server answered. */
    ANSWERED
}
