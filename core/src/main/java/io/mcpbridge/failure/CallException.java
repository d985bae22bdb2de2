package io.mcpbridge.failure;

/** A call that did not get its answer; its subtypes tell the cases apart that callers treat differently. */
public abstract sealed class CallException extends BridgeException
        permits AuditUnavailableException,
                CallFailedException,
                CallInDoubtException,
                CallTimedOutException,
                RetriesExhaustedException {
    private static final long serialVersionUID = 1L;

    CallException(Failure failure) {
        super(failure);
    }

    /** Chooses the subtype that fits {@code failure}. */
    public static CallException of(Failure failure) {
        if (failure.code() == ErrorCode.PROVIDER_TIMEOUT) {
            return new CallTimedOutException(failure);
        }
        if (failure.code() == ErrorCode.IN_DOUBT) {
            return new CallInDoubtException(failure);
        }
        if (failure.code() == ErrorCode.AUDIT_UNAVAILABLE) {
            return new AuditUnavailableException(failure);
        }
        if (failure.attempts() > 1 && failure.retryable() && !failure.isBudgetSpent()) {
            return new RetriesExhaustedException(failure);
        }
        return new CallFailedException(failure);
    }
}
