package io.mcpbridge.spi;

/** Hears once that something is done, from any thread, or that it failed. */
public interface Completion {

    void succeeded();

    void failed(Throwable why);

    /**
     * Whether a call waits for it. If not, the record may be made durable later, in a batch: it is complete as soon as it is
     * queued.
     */
    default boolean isAwaited() {
        return true;
    }
}
