package io.mcpbridge.translate;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.util.List;

/**
 * One thing that a modern server wants to know before it answers.
 *
 * @param key what its answer goes under
 * @param method one that {@link Needs} knows
 * @param params raw JSON, or the empty string
 * @param needs what the client must have declared
 */
record InputRequest(String key, String method, String params, Needs needs) {
    /** How much one answer may ask at once. */
    static final int MAX_AT_ONCE = 64;

    /**
     * What this result asks; nothing, where it only wants its state back.
     *
     * @throws ProtocolException if it asks in a way that the specification does not know
     */
    static List<InputRequest> read(Response result) {
        var raw = result.raw(Part.INPUT_REQUESTS).orElse("{}");
        require(raw.startsWith("{"), "'inputRequests' must be an object");
        var entries = Json.rawMembers(raw);
        require(
                entries.size() <= MAX_AT_ONCE,
                "'inputRequests' has %d entries, but at most %d are asked at once"
                        .formatted(entries.size(), MAX_AT_ONCE));
        return entries.entrySet().stream()
                .map(entry -> entry(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static InputRequest entry(String key, String raw) {
        require(raw.startsWith("{"), "the input request '%s' must be an object".formatted(key));
        var members = Json.rawMembers(raw);
        var method = members.getOrDefault("method", "\"\"");
        require(method.startsWith("\""), "the input request '%s' needs a 'method' that is a text".formatted(key));
        var params = members.getOrDefault("params", "");
        require(
                params.isEmpty() || params.startsWith("{"),
                "the params of the input request '%s' must be an object".formatted(key));
        return entry(key, JsonText.decode(method), params);
    }

    private static InputRequest entry(String key, String method, String params) {
        var needs = Needs.of(method, params.isEmpty() ? "{}" : params);
        require(
                needs.isPresent(),
                "the input request '%s' asks '%s', but only '%s', '%s' and '%s' can be asked"
                        .formatted(
                                key,
                                method,
                                Methods.ELICITATION_CREATE,
                                Methods.SAMPLING_CREATE_MESSAGE,
                                Methods.ROOTS_LIST));
        require(
                !params.isEmpty() || method.equals(Methods.ROOTS_LIST),
                "the input request '%s' asks '%s' without params".formatted(key, method));
        return new InputRequest(key, method, params, needs.orElseThrow());
    }

    /**
     * The same as a request for a client of the legacy era.
     *
     * @param elicitationId goes with what is to be done at an address and has no id of its own
     */
    Request toRequest(MessageId id, String elicitationId) {
        if (params.isEmpty()) {
            return Request.of(id, method);
        }
        var request = Request.of(id, method, params);
        if (!needs.detail().equals("url") || Json.rawMembers(params).containsKey("elicitationId")) {
            return request;
        }
        var splice = request.splice().putParam("elicitationId", JsonText.quote(elicitationId));
        return (Request) splice.done();
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw ProtocolException.upstreamInvalid(rule);
        }
    }
}
