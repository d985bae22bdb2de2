package io.mcpbridge.sandbox.worker.internal.frame;

/** What a worker can be told when it is started. */
public final class WorkerArguments {
    /** Ends as programs do, so that the classes that were loaded can be kept. */
    public static final String TRAINING = "--training";

    /** Sees no processes but its own. */
    public static final String ALONE = "--alone";

    private WorkerArguments() {}
}
