package io.mcpbridge.engine.translation;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The requests and results of multi round-trip requests, as the modern era writes them: the first request is answered with
 * {@code input_required}, and the next ones bring the input.
 */
final class MultiRoundMessages {
    static final int CAPABILITY_MISSING = -32021;
    static final int URL_ELICITATION_REQUIRED = -32042;

    private MultiRoundMessages() {}

    /** Whether the specification lets a server ask for input during this request. */
    static boolean allows(Request request) {
        return Methods.mayNeedInput(request.method());
    }

    /** Whether the request is not the first of its call. */
    static boolean isLater(Request request) {
        return request.has(MessageField.REQUEST_STATE) || request.has(MessageField.INPUT_RESPONSES);
    }

    /** The first request of the call that this request belongs to. */
    static Request first(Request request) {
        if (!isLater(request)) {
            return request;
        }
        return (Request) request.splice()
                .remove(MessageField.REQUEST_STATE)
                .remove(MessageField.INPUT_RESPONSES)
                .done();
    }

    /**
     * The next request of a call.
     *
     * @param first the first request
     * @param responses the raw JSON of {@code inputResponses}
     * @param state the raw JSON of {@code requestState}, byte for byte as the server sent it
     */
    static Request next(Request first, Optional<String> responses, Optional<String> state) {
        if (responses.isEmpty() && state.isEmpty()) {
            return first;
        }
        var splice = first.splice();
        responses.ifPresent(json -> splice.putParam("inputResponses", json));
        state.ifPresent(json -> splice.putParam("requestState", json));
        return (Request) splice.done();
    }

    /**
     * The result {@code input_required}.
     *
     * @param requests raw JSON by key
     * @param state what the client sends back
     */
    static Outcome inputRequired(MessageId id, Map<String, String> requests, String state) {
        var json = "{\"resultType\":\"input_required\",\"inputRequests\":%s,\"requestState\":%s}";
        return Outcome.answered(
                Response.result(id, json.formatted(JsonCodec.object(requests), JsonStrings.quote(state))));
    }

    /** The same result again, for a request without valid answers. */
    static Outcome inputRequiredAgain(Request request, Map<String, String> requests) {
        return inputRequired(
                request.id(), requests, request.text(MessageField.REQUEST_STATE).orElse(""));
    }

    /** The error for a client that did not declare a capability. */
    static Outcome capabilityMissing(MessageId id, String server, Collection<RequiredCapability> missing) {
        var required = new LinkedHashSet<>(missing);
        var words = "server '%s' asks for what the client did not declare in its capabilities: %s"
                .formatted(
                        server,
                        required.stream().map(RequiredCapability::toString).collect(Collectors.joining(", ")));
        var data = "{\"requiredCapabilities\":" + RequiredCapability.json(required) + "}";
        return Outcome.answered(Response.error(id, CAPABILITY_MISSING, words, data));
    }

    /** The failure of a request whose {@code requestState} or {@code inputResponses} cannot be used. */
    static Outcome invalid(String why) {
        return Outcome.failed(Failure.of(ErrorCode.INVALID_PARAMS, why));
    }

    /** A tool result with {@code isError}, which the model that called the tool can read. */
    static Outcome toolError(MessageId id, String words) {
        var json = "{\"content\":[{\"type\":\"text\",\"text\":" + JsonStrings.quote(words) + "}],\"isError\":true}";
        return Outcome.answered(Response.result(id, json));
    }

    /** Whether a call failed: without a response, with an error, or with a tool result that is an error. */
    static boolean isFailure(Outcome outcome) {
        return !(outcome instanceof Outcome.Answered answered)
                || answered.response().isError()
                || answered.response()
                        .raw(MessageField.IS_ERROR)
                        .filter("true"::equals)
                        .isPresent();
    }
}
