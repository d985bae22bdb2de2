package io.mcpbridge.engine.translation;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An elicitation, a sampling request or a request for roots, in the form of either era: an entry of {@code inputRequests}
 * in a modern result, or a request of a legacy server.
 *
 * @param key the name of its answer in {@code inputResponses}; may be empty for a request of a legacy server
 * @param method such as {@code elicitation/create}
 * @param params a raw JSON object, or the empty string
 * @param capability what the client must have declared
 */
record InputRequest(String key, String method, String params, RequiredCapability capability) {
    /** The most requests that one result may contain. */
    static final int MAX_AT_ONCE = 64;

    /** The member of {@code _meta} in which a legacy server may choose the key of its request. */
    private static final String KEY = "io.mcpbridge/inputKey";

    private static final Pattern VALID_KEY = Pattern.compile("[A-Za-z0-9_.:/-]{1,128}");

    /**
     * The requests in the result of a modern server.
     *
     * @throws ProtocolException if they break the specification
     */
    static List<InputRequest> read(Response result) {
        var raw = result.raw(MessageField.INPUT_REQUESTS).orElse("{}");
        require(raw.startsWith("{"), "'inputRequests' must be an object");
        var entries = JsonCodec.rawMembers(raw);
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
        var members = JsonCodec.rawMembers(raw);
        var method = members.getOrDefault("method", "\"\"");
        require(method.startsWith("\""), "the input request '%s' needs a 'method' that is a text".formatted(key));
        var params = members.getOrDefault("params", "");
        require(
                params.isEmpty() || params.startsWith("{"),
                "the params of the input request '%s' must be an object".formatted(key));
        return entry(key, JsonStrings.decode(method), params);
    }

    private static InputRequest entry(String key, String method, String params) {
        var request = of(key, method, params);
        require(
                request.isPresent(),
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
        return request.orElseThrow();
    }

    private static void require(boolean holds, String rule) {
        if (!holds) {
            throw ProtocolException.upstreamInvalid(rule);
        }
    }

    private static Optional<InputRequest> of(String key, String method, String params) {
        return RequiredCapability.of(method, params.isEmpty() ? "{}" : params)
                .map(capability -> new InputRequest(key, method, params, capability));
    }

    /**
     * The request of a legacy server; empty if clients do not answer requests of this method.
     *
     * @throws ProtocolException if its params cannot be read
     */
    static Optional<InputRequest> read(Request request) {
        var params = request.raw(MessageField.PARAMS)
                .filter(raw -> raw.startsWith("{"))
                .orElse("");
        return of(chosenKey(request).orElse(""), request.method(), params);
    }

    private static Optional<String> chosenKey(Request request) {
        return request.raw(MessageField.META)
                .filter(meta -> meta.startsWith("{"))
                .map(meta -> JsonCodec.rawMembers(meta).getOrDefault(KEY, ""))
                .flatMap(JsonCodec::text)
                .filter(key -> VALID_KEY.matcher(key).matches());
    }

    InputRequest withKey(String newKey) {
        return new InputRequest(newKey, method, params, capability);
    }

    /**
     * A request for a legacy client.
     *
     * @param elicitationId for an elicitation by URL that has no id
     */
    Request toRequest(MessageId id, String elicitationId) {
        if (params.isEmpty()) {
            return Request.of(id, method);
        }
        var request = Request.of(id, method, params);
        if (!capability.detail().equals("url") || JsonCodec.rawMembers(params).containsKey("elicitationId")) {
            return request;
        }
        var splice = request.splice().putParam("elicitationId", JsonStrings.quote(elicitationId));
        return (Request) splice.done();
    }

    /** An entry of {@code inputRequests} for a modern client, raw JSON. */
    String json() {
        var start = "{\"method\":" + JsonStrings.quote(method);
        return params.isEmpty() ? start + "}" : start + ",\"params\":" + modern(params) + "}";
    }

    /** Params without the members that only the legacy era has. */
    static String modern(String params) {
        var members = new LinkedHashMap<>(JsonCodec.rawMembers(params));
        members.remove("elicitationId");
        members.remove("task");
        members.computeIfPresent("_meta", (key, meta) -> meta.startsWith("{") ? modernMeta(meta) : meta);
        members.remove("_meta", "{}");
        return JsonCodec.object(members);
    }

    private static String modernMeta(String meta) {
        var members = new LinkedHashMap<>(JsonCodec.rawMembers(meta));
        members.remove(KEY);
        members.remove("progressToken");
        return JsonCodec.object(members);
    }
}
