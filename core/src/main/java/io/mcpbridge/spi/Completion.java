package io.mcpbridge.spi;

/** Hears once that something is done, from any thread, or that it failed. */
public interface Completion {

    void succeeded();

    void failed(Throwable why);

    /**
     * Whether somebody waits for it. What nobody waits for may be made safe later, together with more of its kind: it is
     * done as soon as it is kept at all.
     */
    default boolean isAwaited() {
        return true;
    }
}
