package io.mcpbridge.workflow;

/** Learns when the steps of a run begin and end, on the thread that executes the workflow; must not throw. */
public interface WorkflowListener {

    default void begun(WorkflowStep step) {}

    /** Also called for steps that are skipped, which have not begun. */
    default void ended(WorkflowStep step, StepResult result) {}
}
