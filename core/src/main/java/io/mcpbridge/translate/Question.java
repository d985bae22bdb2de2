package io.mcpbridge.translate;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.JsonText;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A request of a legacy server that a modern client has to answer. Whoever takes it out of its call answers it, once.
 *
 * @param key what its answer goes under
 * @param request what the server asks
 * @param needs what the client must have declared
 * @param reply takes the answer to the server
 */
record Question(String key, Request request, Needs needs, Reply reply) {
    /** Where a server says, in {@code _meta}, under which key it wants to be asked back. */
    static final String KEY = "io.mcpbridge/inputKey";

    private static final Pattern VALID_KEY = Pattern.compile("[A-Za-z0-9_.:/-]{1,128}");

    /**
     * Reads what a server asks; empty if it is nothing that clients can be asked.
     *
     * @throws io.mcpbridge.failure.ProtocolException if its params cannot be read
     */
    static Optional<Question> read(Request request, Reply reply) {
        var params = request.raw(Part.PARAMS).filter(raw -> raw.startsWith("{")).orElse("{}");
        var key = wishedKey(request).orElse("");
        return Needs.of(request.method(), params).map(needs -> new Question(key, request, needs, reply));
    }

    /** The key that the server wishes, if it is one. */
    private static Optional<String> wishedKey(Request request) {
        return request.raw(Part.META)
                .filter(meta -> meta.startsWith("{"))
                .map(meta -> Json.rawMembers(meta).getOrDefault(KEY, ""))
                .filter(raw -> raw.startsWith("\""))
                .map(JsonText::decode)
                .filter(key -> VALID_KEY.matcher(key).matches());
    }

    /** The same under another key. */
    Question withKey(String newKey) {
        return new Question(newKey, request, needs, reply);
    }

    String method() {
        return request.method();
    }

    /** What a modern client is asked, without what only the legacy era knows. */
    String json() {
        var method = "{\"method\":" + JsonText.quote(request.method());
        var params = request.raw(Part.PARAMS).filter(raw -> raw.startsWith("{"));
        return params.isEmpty() ? method + "}" : method + ",\"params\":" + modern(params.get()) + "}";
    }

    /** The params of an elicitation or a sampling as the modern era writes them. */
    static String modern(String params) {
        var members = new LinkedHashMap<>(Json.rawMembers(params));
        members.remove("elicitationId");
        members.remove("task");
        members.computeIfPresent("_meta", (key, meta) -> meta.startsWith("{") ? withoutOurs(meta) : meta);
        members.remove("_meta", "{}");
        return Json.object(members);
    }

    private static String withoutOurs(String meta) {
        var members = new LinkedHashMap<>(Json.rawMembers(meta));
        members.remove(KEY);
        members.remove("progressToken");
        return Json.object(members);
    }

    void answer(String result) {
        reply.done(Outcome.answered(Response.result(request.id(), result)));
    }

    void withdraw(CancelReason reason) {
        var words = "The client did not answer '%s': %s.".formatted(method(), reason.text());
        reply.done(Outcome.failed(Failure.of(reason.code(), words)));
    }

    /** Tells the server that this client cannot be asked. */
    void refuseUndeclared() {
        refuse(request, reply, "it did not declare the capability '%s'".formatted(needs));
    }

    /** Turns a request away that no client can be asked. */
    static void refuse(Request request, Reply reply, String why) {
        var words = "The client cannot be asked '%s': %s.".formatted(request.method(), why);
        reply.done(Outcome.failed(Failure.of(ErrorCode.METHOD_NOT_FOUND, words)));
    }
}
