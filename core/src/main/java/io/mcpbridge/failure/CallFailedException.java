package io.mcpbridge.failure;

/** The server or the bridge refused the call, or the connection failed and was not tried again. */
public final class CallFailedException extends CallException {
    private static final long serialVersionUID = 1L;

    CallFailedException(Failure failure) {
        super(failure);
    }
}
