package io.mcpbridge.tool;

import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.Json;
import java.util.List;
import java.util.Map;

/**
 * A prompt that its server has filled in. Immutable.
 *
 * @param description what it is for, or the empty string
 * @param messages in the server's order
 * @param json the raw JSON of the result
 */
public record PromptResult(String description, List<PromptMessage> messages, String json) {
    public PromptResult {
        messages = List.copyOf(messages);
    }

    /**
     * One message to a language model.
     *
     * @param role {@code user} or {@code assistant}
     */
    public record PromptMessage(String role, Content content) {}

    /**
     * Reads the {@code result} of {@code prompts/get}.
     *
     * @throws ProtocolException if it is not an object
     */
    public static PromptResult parse(String json) {
        if (!(Json.readPlain(json) instanceof Map<?, ?> members)) {
            throw ProtocolException.upstreamInvalid("the result of 'prompts/get' must be an object");
        }
        var messages = Blocks.objects(members.get("messages"))
                .map(PromptResult::message)
                .toList();
        return new PromptResult(Blocks.word(members, "description"), messages, json);
    }

    private static PromptMessage message(Map<?, ?> members) {
        var content = members.get("content") instanceof Map<?, ?> block ? block : Map.of("type", "");
        return new PromptMessage(Blocks.word(members, "role"), Blocks.content(content));
    }
}
