package io.mcpbridge.retry.cache;

import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;

/** Which requests and answers can be those of more than one call. */
final class Sharing {
    private static final String COMPLETE = "complete";

    private Sharing() {}

    /** Whether it begins something by itself, rather than going on with an earlier round or beginning a task. */
    static boolean isWhole(Request request) {
        return !request.has(Part.REQUEST_STATE) && !request.has(Part.INPUT_RESPONSES) && !request.has(Part.TASK);
    }

    /** Whether it ends what was asked, rather than asking something back. */
    static boolean isComplete(Response response) {
        return response.text(Part.RESULT_TYPE).orElse(COMPLETE).equals(COMPLETE)
                && !response.has(Part.INPUT_REQUESTS)
                && !response.has(Part.RESULT_STATE);
    }
}
