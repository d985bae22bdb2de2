package io.mcpbridge.testkit.faulty;

/** What a server lives in: a process of its own, or this one. Any thread. */
interface Host {

    /** Ends the server at once. */
    void exit(int code);

    /** Waits until the server is ended, and then throws. */
    void hang() throws InterruptedException;

    /** Whether the server is to read no more. */
    boolean isHanging();

    /** From now on a signal that asks it to end has no effect, where there is a process to ask. */
    void ignoreTermination();
}
