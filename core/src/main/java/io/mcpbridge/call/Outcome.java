package io.mcpbridge.call;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Response;

/** How a call ended: with the server's answer or without one. */
public sealed interface Outcome {

    /** The server's answer as it came, a result or a JSON-RPC error; its id is the one we minted. */
    record Answered(Response response) implements Outcome {}

    /** No answer that can be passed on. */
    record Failed(Failure failure) implements Outcome {}

    static Outcome answered(Response response) {
        return new Answered(response);
    }

    static Outcome failed(Failure failure) {
        return new Failed(failure);
    }
}
