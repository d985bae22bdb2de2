package io.mcpbridge.failure;

/** The call was sent and got no answer; the server may have run it, so the bridge did not repeat it. */
public final class CallInDoubtException extends CallException {
    private static final long serialVersionUID = 1L;

    CallInDoubtException(Failure failure) {
        super(failure);
    }
}
