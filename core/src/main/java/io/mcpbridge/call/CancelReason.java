package io.mcpbridge.call;

import io.mcpbridge.failure.ErrorCode;

/** The reason for a cancellation; determines the error of the cancelled call. */
public enum CancelReason {
    CLIENT_CANCELLED(ErrorCode.CANCELLED, "cancelled by the client"),
    CLIENT_GONE(ErrorCode.CANCELLED, "the client disconnected"),
    TIMED_OUT(ErrorCode.PROVIDER_TIMEOUT, "timed out"),
    /** Only for calls whose server sends a request that the client cannot answer. */
    CANNOT_BE_ASKED(ErrorCode.CANCELLED, "the client cannot be asked what the server wants to know"),
    SHUTTING_DOWN(ErrorCode.SHUTTING_DOWN, "the bridge is shutting down"),
    /** Only for requests that belong to another call, such as a server request. */
    CALL_ENDED(ErrorCode.CANCELLED, "the call that it belonged to has ended");

    private final ErrorCode code;
    private final String text;

    CancelReason(ErrorCode code, String text) {
        this.code = code;
        this.text = text;
    }

    public ErrorCode code() {
        return code;
    }

    /** The text for {@code notifications/cancelled} and for error messages. */
    public String text() {
        return text;
    }
}
