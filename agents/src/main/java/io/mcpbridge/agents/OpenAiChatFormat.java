package io.mcpbridge.agents;

import static io.mcpbridge.agents.MessageFormat.object;
import static io.mcpbridge.agents.MessageFormat.text;

import io.mcpbridge.tool.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** OpenAI Chat Completions. */
final class OpenAiChatFormat implements MessageFormat {

    @Override
    public Object tools(List<ToolDeclaration> tools) {
        return tools.stream()
                .map(tool -> object(
                        "type",
                        "function",
                        "function",
                        object(
                                "name",
                                tool.name(),
                                "description",
                                tool.description(),
                                "parameters",
                                tool.parameters())))
                .toList();
    }

    @Override
    public Object prompt(String text) {
        return object("role", "user", "content", text);
    }

    @Override
    public Map<String, Object> request(String model, List<Object> conversation, int maxTokens) {
        return object("model", model, "messages", conversation);
    }

    @Override
    public ModelTurn read(Json response) {
        var choice = MessageFormat.list(response, "choices").stream().findFirst();
        var message = choice.flatMap(first -> first.member("message"))
                .orElseThrow(() -> MessageFormat.lacks("choices[0].message", response));
        // Not the whole message: some servers reject what they add to it, such as the model's reasoning.
        var repeated = object("role", "assistant");
        message.member("content").ifPresent(content -> repeated.put("content", content.value()));
        var calls = message.member("tool_calls");
        calls.ifPresent(raw -> repeated.put("tool_calls", raw.value()));
        var words = text(message, "content");
        return new ModelTurn(
                words.isEmpty() ? text(message, "refusal") : words,
                MessageFormat.list(message, "tool_calls").stream()
                        .map(OpenAiChatFormat::call)
                        .toList(),
                List.of(repeated),
                // "eos" is that of some other servers.
                MessageFormat.cutOff(
                        choice.map(first -> text(first, "finish_reason")).orElse(""),
                        "stop",
                        "tool_calls",
                        "function_call",
                        "eos"));
    }

    private static ToolUse call(Json call) {
        var function = call.member("function").orElse(call);
        return new ToolUse(text(call, "id"), text(function, "name"), arguments(function));
    }

    /** The arguments, which are a text of JSON; some servers send the JSON itself. */
    static String arguments(Json function) {
        return function.member("arguments")
                .map(written -> written.asString().orElse(written.text()))
                .orElse("");
    }

    /** A tool message has texts only, so that images follow in a message of the user. */
    @Override
    public List<Object> results(List<ToolAnswer> answers) {
        var items = new ArrayList<Object>();
        var images = new ArrayList<Object>();
        for (var answer : answers) {
            var words = answer.text();
            items.add(object(
                    "role",
                    "tool",
                    "tool_call_id",
                    answer.use().id(),
                    "content",
                    words.isEmpty() ? "The next message of the user has the images." : words));
            answer.images()
                    .forEach(image -> images.add(
                            object("type", "image_url", "image_url", object("url", MessageFormat.dataUrl(image)))));
        }
        if (!images.isEmpty()) {
            images.add(0, object("type", "text", "text", "The images that the tools returned:"));
            items.add(object("role", "user", "content", images));
        }
        return items;
    }
}
