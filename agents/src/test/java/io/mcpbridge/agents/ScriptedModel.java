package io.mcpbridge.agents;

import static io.mcpbridge.agents.MessageFormat.object;

import io.mcpbridge.agents.MessageFormat.ToolUse;
import io.mcpbridge.tool.Json;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A model that says what a test has written, and the last of it for ever; keeps the requests. */
final class ScriptedModel implements ModelClient {
    private final ModelFormat format;
    private final Deque<Json> script = new ArrayDeque<>();
    private final List<Json> requests = new ArrayList<>();

    private ScriptedModel(ModelFormat format) {
        this.format = format;
    }

    static ScriptedModel of(ModelFormat format) {
        return new ScriptedModel(format);
    }

    static ToolUse use(String id, String name, String arguments) {
        return new ToolUse(id, name, arguments);
    }

    ModelProvider provider() {
        return new ModelProvider(format, this);
    }

    List<Json> requests() {
        return requests;
    }

    ScriptedModel calls(ToolUse... uses) {
        return calls(List.of(uses));
    }

    ScriptedModel calls(List<ToolUse> uses) {
        script.add(calls(format, uses));
        return this;
    }

    ScriptedModel says(String text) {
        script.add(says(format, text));
        return this;
    }

    /** Responds with this body. */
    ScriptedModel responds(String body) {
        script.add(Json.parse(body));
        return this;
    }

    @Override
    public Json complete(ModelRequest request) {
        requests.add(request.body());
        return script.size() > 1 ? script.remove() : script.element();
    }

    static Json calls(ModelFormat format, List<ToolUse> uses) {
        return Json.of(
                switch (format) {
                    case OPENAI ->
                        chat(object(
                                "role",
                                "assistant",
                                "tool_calls",
                                uses.stream()
                                        .map(use -> object(
                                                "id",
                                                use.id(),
                                                "type",
                                                "function",
                                                "function",
                                                object("name", use.name(), "arguments", use.arguments())))
                                        .toList()));
                    case OPENAI_RESPONSES ->
                        object(
                                "output",
                                uses.stream()
                                        .map(use -> object(
                                                "type",
                                                "function_call",
                                                "call_id",
                                                use.id(),
                                                "name",
                                                use.name(),
                                                "arguments",
                                                use.arguments()))
                                        .toList());
                    case ANTHROPIC ->
                        object(
                                "content",
                                uses.stream()
                                        .map(use -> object(
                                                "type",
                                                "tool_use",
                                                "id",
                                                use.id(),
                                                "name",
                                                use.name(),
                                                "input",
                                                input(use)))
                                        .toList());
                    case GEMINI ->
                        gemini(uses.stream()
                                .<Object>map(use -> object(
                                        "functionCall", object("name", use.name(), "args", input(use), "id", use.id())))
                                .toList());
                });
    }

    private static Object input(ToolUse use) {
        return Objects.requireNonNull(Json.parse(use.arguments()).value());
    }

    static Json says(ModelFormat format, String text) {
        return Json.of(
                switch (format) {
                    case OPENAI -> chat(object("role", "assistant", "content", text));
                    case OPENAI_RESPONSES ->
                        object(
                                "output",
                                List.of(object(
                                        "type",
                                        "message",
                                        "content",
                                        List.of(object("type", "output_text", "text", text)))));
                    case ANTHROPIC -> object("content", List.of(object("type", "text", "text", text)));
                    case GEMINI -> gemini(List.of(object("text", text)));
                });
    }

    private static Map<String, Object> chat(Map<String, Object> message) {
        return object("choices", List.of(object("message", message, "finish_reason", "stop")));
    }

    private static Map<String, Object> gemini(List<Object> parts) {
        return object("candidates", List.of(object("content", object("role", "model", "parts", parts))));
    }
}
