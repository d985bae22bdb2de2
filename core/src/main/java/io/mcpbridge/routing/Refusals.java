package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;

/** How requests are refused that lead to no server. */
final class Refusals {

    private Refusals() {}

    /** The request lacks a text that tells where it leads. */
    static void incomplete(Call call, Reply reply, String param) {
        var words = "'%s' needs 'params.%s', a text";
        invalid(reply, words.formatted(call.request().method(), param));
    }

    static void invalid(Reply reply, String why) {
        reply.done(Outcome.failed(Failure.of(ErrorCode.INVALID_PARAMS, why)));
    }

    static void unknownMethod(Reply reply, String why) {
        reply.done(Outcome.failed(Failure.of(ErrorCode.METHOD_NOT_FOUND, why)));
    }
}
