package io.mcpbridge.call;

import io.mcpbridge.failure.ErrorCode;

/** Why a call is withdrawn; decides the error that its holder ends it with. */
public enum CancelReason {
    CLIENT_CANCELLED(ErrorCode.CANCELLED, "cancelled by the client"),
    CLIENT_GONE(ErrorCode.CANCELLED, "the client disconnected"),
    TIMED_OUT(ErrorCode.PROVIDER_TIMEOUT, "timed out"),
    /** Only for calls whose server asks what their client cannot answer. */
    CANNOT_BE_ASKED(ErrorCode.CANCELLED, "the client cannot be asked what the server wants to know"),
    SHUTTING_DOWN(ErrorCode.SHUTTING_DOWN, "the bridge is shutting down"),
    /** Only for what belongs to another call, such as a question of the server. */
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

    /** The words for {@code notifications/cancelled} and for error messages. */
    public String text() {
        return text;
    }
}
