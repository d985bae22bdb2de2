package io.mcpbridge.agents;

import static io.mcpbridge.agents.MessageFormat.object;
import static io.mcpbridge.agents.MessageFormat.text;

import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** OpenAI Responses. */
final class OpenAiResponsesFormat implements MessageFormat {

    @Override
    public Object tools(List<ToolDeclaration> tools) {
        // Without "strict", the API takes schemas as strict and rejects most of those that servers have.
        return tools.stream()
                .map(tool -> object(
                        "type",
                        "function",
                        "name",
                        tool.name(),
                        "description",
                        tool.description(),
                        "parameters",
                        tool.parameters(),
                        "strict",
                        false))
                .toList();
    }

    @Override
    public Object prompt(String text) {
        return object("role", "user", "content", text);
    }

    @Override
    public Map<String, Object> request(String model, List<Object> conversation, int maxTokens) {
        return object("model", model, "input", conversation);
    }

    @Override
    public ModelTurn read(Json response) {
        var output = response.member("output")
                .orElseThrow(() -> MessageFormat.lacks("output", response))
                .elements();
        return new ModelTurn(
                // Others, such as the reasoning, have content too.
                output.stream()
                        .filter(item -> List.of("message", "").contains(text(item, "type")))
                        .flatMap(item -> MessageFormat.list(item, "content").stream())
                        .map(part -> text(part, "text") + text(part, "refusal"))
                        .collect(Collectors.joining()),
                output.stream()
                        .filter(item -> text(item, "type").equals("function_call"))
                        .map(item -> new ToolUse(
                                text(item, "call_id"), text(item, "name"), OpenAiChatFormat.arguments(item)))
                        .toList(),
                output.stream()
                        .map(item -> Objects.requireNonNull(item.value()))
                        .toList(),
                cutOff(response));
    }

    private static String cutOff(Json response) {
        var status = MessageFormat.cutOff(text(response, "status"), "completed");
        return Stream.of("incomplete_details", "error")
                .flatMap(key -> response.member(key).stream())
                .map(why -> text(why, "reason") + text(why, "message"))
                .filter(why -> !status.isEmpty() && !why.isEmpty())
                .findFirst()
                .orElse(status);
    }

    @Override
    public List<Object> results(List<ToolAnswer> answers) {
        return answers.stream()
                .<Object>map(answer -> object(
                        "type",
                        "function_call_output",
                        "call_id",
                        answer.use().id(),
                        "output",
                        answer.images().isEmpty()
                                ? answer.text()
                                : answer.content().stream()
                                        .map(OpenAiResponsesFormat::part)
                                        .toList()))
                .toList();
    }

    private static Object part(Content block) {
        return block instanceof Content.Image image
                ? object("type", "input_image", "image_url", MessageFormat.dataUrl(image))
                : object("type", "input_text", "text", ((Content.Text) block).text());
    }
}
