package io.mcpbridge.translate;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Request;
import java.util.Map;
import java.util.Set;

/**
 * What a modern client answers to input requests, raw JSON by their keys.
 *
 * @param byKey may have more than was asked
 */
record InputAnswers(Map<String, String> byKey) {
    /** Nothing is answered. */
    static final InputAnswers NONE = new InputAnswers(Map.of());

    private static final Set<String> ACTIONS = Set.of("\"accept\"", "\"decline\"", "\"cancel\"");

    /**
     * Reads {@code inputResponses}; absent means that nothing is answered.
     *
     * @throws ProtocolException if it is no object
     */
    static InputAnswers read(Request request) {
        var raw = request.raw(Part.INPUT_RESPONSES).orElse("");
        if (raw.isEmpty()) {
            return NONE;
        }
        if (!raw.startsWith("{")) {
            throw ProtocolException.malformed(
                    ErrorCode.INVALID_PARAMS, "'inputResponses' must be an object with an answer for each key");
        }
        return new InputAnswers(Json.rawMembers(raw));
    }

    /** Whether there is an answer under this key that a server may be given for such a question. */
    boolean fits(String key, String method) {
        var raw = byKey.getOrDefault(key, "");
        return raw.startsWith("{") && fits(Json.rawMembers(raw), method);
    }

    private static boolean fits(Map<String, String> members, String method) {
        return switch (method) {
            case Methods.ELICITATION_CREATE ->
                ACTIONS.contains(members.getOrDefault("action", ""))
                        && members.getOrDefault("content", "{}").startsWith("{");
            case Methods.SAMPLING_CREATE_MESSAGE -> members.containsKey("role") && members.containsKey("content");
            case Methods.ROOTS_LIST -> members.getOrDefault("roots", "").startsWith("[");
            default -> false;
        };
    }

    /** The answer under a key, which must be there. */
    String raw(String key) {
        return byKey.getOrDefault(key, "{}");
    }

    /** Whether the user has agreed to the elicitation under this key. */
    boolean isAccepted(String key) {
        return "\"accept\"".equals(Json.rawMembers(raw(key)).get("action"));
    }
}
