package io.mcpbridge.server;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.call.Call;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.Prompt;
import java.util.LinkedHashMap;
import java.util.Map;

/** A prompt of a server. */
record RegisteredPrompt(Prompt definition, PromptHandler handler) {

    /** The result of {@code prompts/get}. */
    String get(Call call) throws Exception {
        var given = call.request().raw(MessageField.ARGUMENTS).orElse("{}");
        var messages = handler.get(arguments(Json.parse(given)), call.caller()).stream()
                .map(RegisteredPrompt::json)
                .collect(joining(",", "{\"messages\":[", "]"));
        var description = definition
                .description()
                .map(text -> ",\"description\":" + JsonStrings.quote(text))
                .orElse("");
        return messages + description + "}";
    }

    /** The arguments, which are strings. */
    private Map<String, String> arguments(Json given) {
        var arguments = new LinkedHashMap<String, String>();
        given.asMap().forEach((name, value) -> {
            if (!(value instanceof String text)) {
                throw invalid("'%s' must be a string but is %s".formatted(name, JsonCodec.write(value)));
            }
            arguments.put(name, text);
        });
        for (var argument : definition.arguments()) {
            if (argument.isRequired() && !arguments.containsKey(argument.name())) {
                throw invalid("'%s' is missing".formatted(argument.name()));
            }
        }
        return arguments;
    }

    private ProtocolException invalid(String mistake) {
        var message = "the arguments of the prompt '%s' are wrong: %s".formatted(definition.name(), mistake);
        return ProtocolException.malformed(ErrorCode.INVALID_PARAMS, message);
    }

    private static String json(Prompt.Message message) {
        return "{\"role\":%s,\"content\":%s}"
                .formatted(
                        JsonStrings.quote(message.role()),
                        message.content().json().text());
    }
}
