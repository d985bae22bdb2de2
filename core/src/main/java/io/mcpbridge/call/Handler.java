package io.mcpbridge.call;

/** Handles calls. The router, the stages, the servers behind the bridge and served tools are handlers. */
public interface Handler {

    /**
     * Starts the call and returns without blocking. The outcome goes to {@code reply}, possibly before this method
     * returns. Any thread may call this.
     */
    void handle(Call call, Reply reply);
}
