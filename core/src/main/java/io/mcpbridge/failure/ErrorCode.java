package io.mcpbridge.failure;

/**
 * The code of a failure; stable across releases, for logs, audit records and tests.
 *
 * <p>Malformed input uses the codes of JSON-RPC 2.0. The bridge's own codes are -31001 to -31011, outside the range
 * -32768 to -32000 that JSON-RPC and MCP reserve.
 */
public enum ErrorCode {
    PARSE_ERROR(-32700, false),
    INVALID_REQUEST(-32600, false),
    METHOD_NOT_FOUND(-32601, false),
    INVALID_PARAMS(-32602, false),
    INTERNAL_ERROR(-32603, false),
    /** A setting is missing or wrong. Clients do not receive it. */
    BAD_CONFIGURATION(-32603, false),
    /** The handshake or the version was refused, or the server cannot start. */
    PROVIDER_INIT_FAILED(-31001, false),
    /** The server is disconnected, or its circuit breaker is open; the call may be tried again. */
    PROVIDER_UNAVAILABLE(-31002, true),
    /** The attempt's or the call's deadline passed. */
    PROVIDER_TIMEOUT(-31003, true),
    /** The server's process ended. */
    PROVIDER_CRASHED(-31004, true),
    /** The call may have run and is not repeated. */
    IN_DOUBT(-31005, false),
    /** A limit was reached; the message names it and its value. */
    OVERLOADED(-31006, true),
    /** The audit that this call requires cannot be made durable. */
    AUDIT_UNAVAILABLE(-31007, true),
    /** Mode, filter or quarantine forbids the tool. */
    TOOL_NOT_ADMITTED(-31008, false),
    /** The bridge is draining. */
    SHUTTING_DOWN(-31009, true),
    /** The server broke the protocol. */
    UPSTREAM_INVALID(-31010, false),
    /** The caller withdrew the call; only the audit records it. */
    CANCELLED(-31011, false),
    /** The server answered with a JSON-RPC error of its own, kept in {@link Failure#serverError()}. */
    SERVER_ERROR(-32603, false);

    private final int jsonRpcCode;
    private final boolean usuallyRetryable;

    ErrorCode(int jsonRpcCode, boolean usuallyRetryable) {
        this.jsonRpcCode = jsonRpcCode;
        this.usuallyRetryable = usuallyRetryable;
    }

    /** The number in a JSON-RPC error that the bridge makes. */
    public int jsonRpcCode() {
        return jsonRpcCode;
    }

    /** Whether the same call may succeed shortly afterwards, regardless of its delivery. */
    public boolean isUsuallyRetryable() {
        return usuallyRetryable;
    }
}
