package io.mcpbridge.call;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Response;

/** How a call ended: with the server's answer or without one. */
public sealed interface Outcome permits Outcome.Answered, Outcome.Failed {

    /**
     * The server's answer as it came, a result or a JSON-RPC error.
     *
     * @param response the response, with the request id that the bridge generated
     * @param attempts how often the call was tried, at least 1
     * @param era the era of the connection that the response came over; {@code MODERN} for a response of the bridge
     */
    record Answered(Response response, int attempts, Era era) implements Outcome {

        /** Returns the same answer with another response. */
        public Answered withResponse(Response newResponse) {
            return new Answered(newResponse, attempts, era);
        }

        /** Returns the same answer with another number of attempts. */
        public Answered withAttempts(int newAttempts) {
            return new Answered(response, newAttempts, era);
        }
    }

    /** The call ended without an answer that can be passed on. */
    record Failed(Failure failure) implements Outcome {}

    /** An answer of the bridge itself, such as of a handler. */
    static Outcome answered(Response response) {
        return new Answered(response, 1, Era.MODERN);
    }

    static Outcome failed(Failure failure) {
        return new Failed(failure);
    }
}
