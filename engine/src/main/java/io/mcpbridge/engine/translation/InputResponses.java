package io.mcpbridge.engine.translation;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import java.util.Map;
import java.util.Set;

/**
 * The {@code inputResponses} of a modern client.
 *
 * @param byKey raw JSON; may have more entries than requests
 */
record InputResponses(Map<String, String> byKey) {
    static final InputResponses NONE = new InputResponses(Map.of());

    private static final Set<String> ACTIONS = Set.of("\"accept\"", "\"decline\"", "\"cancel\"");

    /**
     * Reads {@code inputResponses}; absent is the same as empty.
     *
     * @throws ProtocolException if it is not an object
     */
    static InputResponses read(Request request) {
        var raw = request.raw(MessageField.INPUT_RESPONSES).orElse("");
        if (raw.isEmpty()) {
            return NONE;
        }
        if (!raw.startsWith("{")) {
            throw ProtocolException.malformed(
                    ErrorCode.INVALID_PARAMS, "'inputResponses' must be an object with an answer for each key");
        }
        return new InputResponses(JsonCodec.rawMembers(raw));
    }

    /** Whether the entry of this key is a valid answer to a request of this method. */
    boolean fits(String key, String method) {
        var raw = byKey.getOrDefault(key, "");
        return raw.startsWith("{") && fits(JsonCodec.rawMembers(raw), method);
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

    /** The entry of a key, raw JSON. */
    String raw(String key) {
        return byKey.getOrDefault(key, "{}");
    }

    /** Whether the user accepted the elicitation of this key. */
    boolean isAccepted(String key) {
        return "\"accept\"".equals(JsonCodec.rawMembers(raw(key)).get("action"));
    }
}
