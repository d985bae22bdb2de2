package io.mcpbridge.call;

/** Handles calls. A pipeline of stages, a server behind the bridge and a server of own tools are handlers. */
public interface Handler {

    /**
     * Starts the call and returns without blocking. The outcome goes to {@code reply}, possibly before this method
     * returns. Any thread may call this.
     */
    void handle(Call call, Reply reply);
}
