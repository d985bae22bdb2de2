package io.mcpbridge.failure;

/** The deadline passed before the answer came; the call was cancelled on the wire. */
public final class CallTimedOutException extends CallException {
    private static final long serialVersionUID = 1L;

    CallTimedOutException(Failure failure) {
        super(failure);
    }
}
