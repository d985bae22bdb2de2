package io.mcpbridge.failure;

/** The call was handed over and no answer came back: it may have run, so it was not repeated. */
public final class CallInDoubtException extends CallException {
    private static final long serialVersionUID = 1L;

    CallInDoubtException(Failure failure) {
        super(failure);
    }
}
