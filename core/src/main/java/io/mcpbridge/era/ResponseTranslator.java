package io.mcpbridge.era;

import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MetaKeys;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.message.Splice;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Translates the response of a server to the era of the client. Stateless. Everything that both eras share is copied
 * byte for byte.
 */
public final class ResponseTranslator {
    /** The legacy error code for a missing resource; the modern era has no code of its own for it. */
    private static final int RESOURCE_NOT_FOUND = -32002;

    private static final int INVALID_PARAMS = -32602;
    private static final String COMPLETE = "\"complete\"";

    private static final Set<String> CACHEABLE = Set.of(
            Methods.SERVER_DISCOVER,
            Methods.TOOLS_LIST,
            Methods.PROMPTS_LIST,
            Methods.RESOURCES_LIST,
            Methods.RESOURCES_TEMPLATES_LIST,
            Methods.RESOURCES_READ);

    private ResponseTranslator() {}

    /**
     * The response for a client of the modern era. A result gets the members that the era requires: type, cache
     * duration and cache scope, and the server's info.
     *
     * @param serverInfo the raw JSON of the bridge's own server info
     */
    public static Response modern(Response answer, Request asked, String serverInfo) {
        if (answer.isError()) {
            return modernError(answer, asked);
        }
        var splice = answer.splice().id(asked.id());
        if (isObject(answer, MessageField.RESULT)) {
            complete(splice, answer, asked.method());
            splice.putMeta(MetaKeys.SERVER_INFO, serverInfo);
        }
        return (Response) splice.done();
    }

    private static void complete(Splice splice, Response answer, String method) {
        var type = answer.raw(MessageField.RESULT_TYPE).orElse("");
        if (type.isEmpty()) {
            splice.putResult("resultType", COMPLETE);
        }
        if (!CACHEABLE.contains(method) || !(type.isEmpty() || type.equals(COMPLETE))) {
            return;
        }
        if (!answer.has(MessageField.TTL_MS)) {
            splice.putResult("ttlMs", "0");
        }
        if (!answer.has(MessageField.CACHE_SCOPE)) {
            splice.putResult("cacheScope", "\"private\"");
        }
    }

    private static Response modernError(Response answer, Request asked) {
        var code = answer.raw(MessageField.ERROR_CODE).orElse("");
        if (!code.equals(Integer.toString(RESOURCE_NOT_FOUND))) {
            return (Response) answer.splice().id(asked.id()).done();
        }
        var words = answer.text(MessageField.ERROR_MESSAGE).orElse("");
        var data = answer.raw(MessageField.ERROR_DATA).orElse("{}");
        return Response.error(asked.id(), INVALID_PARAMS, words, withUri(data, asked));
    }

    /** The error's data with the URI of the requested resource. */
    private static String withUri(String data, Request asked) {
        var members = members(data);
        var uri = asked.text(MessageField.URI);
        if (uri.isEmpty() || members.containsKey("uri")) {
            return data;
        }
        var named = new LinkedHashMap<>(Map.of("uri", JsonStrings.quote(uri.get())));
        named.putAll(members);
        return JsonCodec.object(named);
    }

    /**
     * The members of the error's data. A value that is not an object becomes the member {@code data}; an object that
     * cannot be read has no members.
     */
    private static Map<String, String> members(String data) {
        try {
            return data.startsWith("{") ? JsonCodec.rawMembers(data) : Map.of("data", data);
        } catch (BridgeException unreadable) {
            return Map.of();
        }
    }

    /** The response for a client of the legacy era, without the members that only the modern era defines. */
    public static Response legacy(Response answer, Request asked) {
        var splice = answer.splice().id(asked.id());
        if (!answer.isError() && answer.has(MessageField.RESULT_TYPE)) {
            splice.remove(MessageField.RESULT_TYPE).remove(MessageField.TTL_MS).remove(MessageField.CACHE_SCOPE);
        }
        if (!answer.isError() && answer.has(MessageField.SERVER_INFO)) {
            splice.remove(MessageField.SERVER_INFO);
        }
        return (Response) splice.done();
    }

    private static boolean isObject(Message message, MessageField part) {
        return message.has(part) && message.bytes().get(message.start(part)) == '{';
    }
}
