package io.mcpbridge.call;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Response;

/** How a call ended: with the server's answer or without one. */
public sealed interface Outcome {

    /**
     * The server's answer as it came, a result or a JSON-RPC error.
     *
     * @param response the response, with the request id that the bridge generated
     * @param attempts how often the call was tried, at least 1
     */
    record Answered(Response response, int attempts) implements Outcome {}

    /** The call ended without an answer that can be passed on. */
    record Failed(Failure failure) implements Outcome {}

    static Outcome answered(Response response) {
        return new Answered(response, 1);
    }

    static Outcome failed(Failure failure) {
        return new Failed(failure);
    }
}
