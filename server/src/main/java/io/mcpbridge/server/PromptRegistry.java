package io.mcpbridge.server;

import static java.util.stream.Collectors.joining;

import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.Prompt;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;

/** The registered prompts, sorted by name. Any thread. */
final class PromptRegistry {
    private final Map<String, RegisteredPrompt> prompts = new ConcurrentSkipListMap<>();

    void add(Prompt definition, PromptHandler handler) {
        if (prompts.putIfAbsent(definition.name(), new RegisteredPrompt(definition, handler)) != null) {
            throw new IllegalStateException("prompt already registered: " + definition.name());
        }
    }

    boolean isEmpty() {
        return prompts.isEmpty();
    }

    /** Answers a request for prompts; false if it is another one. Does not wait. */
    boolean handle(ServedRequest request, Executor threads) {
        switch (request.call().request().method()) {
            case Methods.PROMPTS_LIST -> request.list(list());
            case Methods.PROMPTS_GET -> get(request, threads);
            default -> {
                return false;
            }
        }
        return true;
    }

    private String list() {
        return prompts.values().stream()
                .map(prompt -> prompt.definition().json().text())
                .collect(joining(",", "{\"prompts\":[", "]}"));
    }

    private void get(ServedRequest request, Executor threads) {
        var name = request.call().request().text(MessageField.NAME).orElse("");
        var prompt = prompts.get(name);
        if (prompt == null) {
            var message = "unknown prompt: '%s'; 'prompts/list' names all prompts".formatted(name);
            request.refuse(ErrorCode.INVALID_PARAMS, message);
            return;
        }
        request.run(threads, () -> prompt.get(request));
    }

    private record RegisteredPrompt(Prompt definition, PromptHandler handler) {

        /** The result of {@code prompts/get}. */
        private String get(ServedRequest request) throws Exception {
            var call = request.call();
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
}
