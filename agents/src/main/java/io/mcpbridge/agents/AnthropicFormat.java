package io.mcpbridge.agents;

import static io.mcpbridge.agents.MessageFormat.object;
import static io.mcpbridge.agents.MessageFormat.text;

import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** Anthropic Messages. */
final class AnthropicFormat implements MessageFormat {

    @Override
    public Object tools(List<ToolDeclaration> tools) {
        return tools.stream()
                .map(tool -> object(
                        "name", tool.name(), "description", tool.description(), "input_schema", tool.parameters()))
                .toList();
    }

    @Override
    public Object prompt(String text) {
        return object("role", "user", "content", text);
    }

    @Override
    public Map<String, Object> request(String model, List<Object> conversation, int maxTokens) {
        return object("model", model, "max_tokens", maxTokens, "messages", conversation);
    }

    @Override
    public ModelTurn read(Json response) {
        var content = response.member("content").orElseThrow(() -> MessageFormat.lacks("content", response));
        var blocks = content.elements();
        return new ModelTurn(
                blocks.stream().map(block -> text(block, "text")).collect(Collectors.joining()),
                blocks.stream()
                        .filter(block -> text(block, "type").equals("tool_use"))
                        .map(block -> new ToolUse(
                                text(block, "id"),
                                text(block, "name"),
                                block.member("input").map(Json::text).orElse("")))
                        .toList(),
                List.of(object("role", "assistant", "content", Objects.requireNonNull(content.value()))),
                MessageFormat.cutOff(text(response, "stop_reason"), "end_turn", "tool_use", "stop_sequence"));
    }

    @Override
    public List<Object> results(List<ToolAnswer> answers) {
        return List.of(object(
                "role",
                "user",
                "content",
                answers.stream().map(AnthropicFormat::result).toList()));
    }

    private static Object result(ToolAnswer answer) {
        return object(
                "type",
                "tool_result",
                "tool_use_id",
                answer.use().id(),
                "content",
                answer.content().stream().map(AnthropicFormat::block).toList(),
                "is_error",
                answer.isError());
    }

    private static Object block(Content block) {
        return block instanceof Content.Image image
                ? object(
                        "type",
                        "image",
                        "source",
                        object("type", "base64", "media_type", image.mimeType(), "data", image.data()))
                : object("type", "text", "text", ((Content.Text) block).text());
    }
}
