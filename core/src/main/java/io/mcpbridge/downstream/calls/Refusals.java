package io.mcpbridge.downstream.calls;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.JsonRpcErrors;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Ending;

/** Endings of requests that do not become calls. */
public final class Refusals {
    static final int BAD_REQUEST = 400;
    static final int TOO_MANY_REQUESTS = 429;

    private Refusals() {}

    /** Turned away with an error of ours, and an HTTP status where there is one. */
    public static Ending of(int status, Request request, ErrorCode code, String why) {
        return of(status, request, Failure.of(code, why));
    }

    private static Ending of(int status, Request request, Failure why) {
        return Ending.refused(status, JsonRpcErrors.toResponse(request.id(), why, ""));
    }

    /** Turned away as a call that does not begin. */
    static Ending of(int status, Call call, Failure why) {
        var error = JsonRpcErrors.toResponse(call.request().id(), why, call.correlationId());
        return Ending.refused(status, error);
    }

    /** Its principal has as much as it may have already. */
    public static Ending overloaded(Request request, String why) {
        return of(TOO_MANY_REQUESTS, request, ErrorCode.OVERLOADED, why);
    }

    /** Its id stands for another request of the same client, which has to be told from it. */
    public static Ending idInUse(Request request) {
        return of(BAD_REQUEST, request, inUse(request));
    }

    static Failure inUse(Request request) {
        var why = "the id %s is in use by a request that is not answered yet"
                .formatted(request.id().raw());
        return Failure.of(ErrorCode.INVALID_REQUEST, why);
    }
}
