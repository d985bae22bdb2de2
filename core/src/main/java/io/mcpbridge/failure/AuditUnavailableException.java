package io.mcpbridge.failure;

/**
 * The audit that the call requires could not record it, so the call was not sent: its tool did not fail, and never ran. The
 * same call may work a moment later.
 */
public final class AuditUnavailableException extends CallException {
    private static final long serialVersionUID = 1L;

    AuditUnavailableException(Failure failure) {
        super(failure);
    }
}
