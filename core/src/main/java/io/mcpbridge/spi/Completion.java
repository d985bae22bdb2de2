package io.mcpbridge.spi;

/** Hears once that something is done, from any thread, or that it failed. */
public interface Completion {

    void succeeded();

    void failed(Throwable why);
}
