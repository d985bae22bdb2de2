package io.mcpbridge.translate;

import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import java.util.Optional;

/** Requests that take several rounds in the modern era: the first asks for input, the next ones bring it. */
final class MultiRound {
    static final int CAPABILITY_MISSING = -32021;
    static final int URL_ELICITATION_REQUIRED = -32042;

    private MultiRound() {}

    /** Whether the specification lets the server ask for input while it answers this. */
    static boolean allows(Request request) {
        return Methods.mayNeedInput(request.method());
    }

    /** Whether the request brings what an earlier round asked for. */
    static boolean isLater(Request request) {
        return request.has(Part.REQUEST_STATE) || request.has(Part.INPUT_RESPONSES);
    }

    /** The request as its first round was. */
    static Request first(Request request) {
        if (!isLater(request)) {
            return request;
        }
        return (Request) request.splice()
                .remove(Part.REQUEST_STATE)
                .remove(Part.INPUT_RESPONSES)
                .done();
    }

    /**
     * The request as its next round is.
     *
     * @param first the request of the first round
     * @param answers the raw JSON of {@code inputResponses}
     * @param state the raw JSON of {@code requestState}, byte for byte as the server sent it
     */
    static Request next(Request first, Optional<String> answers, Optional<String> state) {
        var splice = first.splice();
        answers.ifPresent(json -> splice.putParam("inputResponses", json));
        state.ifPresent(json -> splice.putParam("requestState", json));
        return (Request) splice.done();
    }
}
