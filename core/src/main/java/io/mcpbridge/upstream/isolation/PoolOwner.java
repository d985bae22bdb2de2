package io.mcpbridge.upstream.isolation;

import io.mcpbridge.call.Caller;

/** What a {@link ChildPool} needs of whoever has it. Any thread may ask; nothing waits. */
public interface PoolOwner {

    /**
     * Begins to start a process on other threads, which ends in {@link ChildPool#started}, or in {@link ChildPool#failed} and
     * {@link ChildPool#gone}.
     */
    void start(ChildKind kind, Caller caller);

    /** Begins to end the starts that are under way, and all that come; nothing waits. */
    void giveUp();

    /** Kills what there is of starts that were given up; nothing waits. */
    void killStarts();

    /** The name of the server. */
    String server();

    /** How many starts may fail within a minute. */
    int maxFailures();
}
