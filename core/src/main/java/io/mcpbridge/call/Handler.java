package io.mcpbridge.call;

/** Something that answers calls: the router, a stage, a server behind us, a served tool. */
public interface Handler {

    /**
     * Takes the call and returns without waiting; the answer goes to {@code reply}, perhaps before this
     * method returns. Any thread may call this.
     */
    void handle(Call call, Reply reply);
}
