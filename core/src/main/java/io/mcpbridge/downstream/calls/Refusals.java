package io.mcpbridge.downstream.calls;

import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Ending;

/** Endings of requests that do not become calls. */
public final class Refusals {

    private Refusals() {}

    /** Turned away with an error of ours, and an HTTP status where there is one. */
    public static Ending of(int status, Request request, ErrorCode code, String why) {
        return of(status, request, Failure.of(code, why));
    }

    /** The same for this reason. */
    static Ending of(int status, Request request, Failure why) {
        return Ending.refused(status, JsonRpcErrors.toResponse(request.id(), why, ""));
    }

    /** Its id stands for another request of the same client, which has to be told from it. */
    public static Ending idInUse(Request request) {
        var why = "the id %s is in use by a request that is not answered yet"
                .formatted(request.id().raw());
        return of(400, request, ErrorCode.INVALID_REQUEST, why);
    }
}
