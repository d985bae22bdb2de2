package io.mcpbridge.spi;

/** Starts child processes. Any thread may use it; starting may wait for a short time. */
public interface ProcessLauncher extends AutoCloseable {

    /**
     * Starts a child whose environment holds what {@code command} says and nothing else.
     *
     * @throws io.mcpbridge.failure.TransportException if it cannot be started; the message quotes neither
     *     arguments nor environment
     * @throws InterruptedException if the waiting thread is interrupted; no child is left then
     */
    ChildProcess launch(Command command) throws InterruptedException;

    /** Ends every child that is still there. */
    @Override
    void close();
}
