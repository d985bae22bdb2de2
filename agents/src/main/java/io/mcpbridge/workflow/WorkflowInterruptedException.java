package io.mcpbridge.workflow;

/** The thread of a run was interrupted; the steps that ran have ended. */
public final class WorkflowInterruptedException extends InterruptedException {
    private static final long serialVersionUID = 1L;

    private final transient WorkflowResult result;

    WorkflowInterruptedException(WorkflowResult result) {
        super("%s; trace %s"
                .formatted(
                        result.failure().orElseThrow().message(), result.trace().traceId()));
        this.result = result;
    }

    /** What ran. */
    public WorkflowResult result() {
        return result;
    }
}
