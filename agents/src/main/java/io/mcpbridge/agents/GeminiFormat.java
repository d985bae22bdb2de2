package io.mcpbridge.agents;

import static io.mcpbridge.agents.MessageFormat.object;
import static io.mcpbridge.agents.MessageFormat.text;

import io.mcpbridge.tool.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Gemini {@code generateContent}. Its calls and results are paired by an id or, without one, by their order. */
final class GeminiFormat implements MessageFormat {

    @Override
    public Object tools(List<ToolDeclaration> tools) {
        // "parameters" takes a dialect of OpenAPI without references; this member takes JSON Schema.
        return List.of(object(
                "functionDeclarations",
                tools.stream()
                        .map(tool -> object(
                                "name",
                                tool.name(),
                                "description",
                                tool.description(),
                                "parametersJsonSchema",
                                tool.parameters()))
                        .toList()));
    }

    @Override
    public Object prompt(String text) {
        return object("role", "user", "parts", List.of(object("text", text)));
    }

    @Override
    public Map<String, Object> request(String model, List<Object> conversation, int maxTokens) {
        return object("contents", conversation);
    }

    @Override
    public ModelTurn read(Json response) {
        var candidate = MessageFormat.list(response, "candidates").stream().findFirst();
        var cutOff = MessageFormat.cutOff(
                candidate
                        .map(first -> text(first, "finishReason"))
                        .or(() -> response.member("promptFeedback").map(feedback -> text(feedback, "blockReason")))
                        .orElse(""),
                "STOP");
        var content = candidate
                .flatMap(first -> first.member("content"))
                .or(() -> Optional.of(Json.of(Map.of())).filter(empty -> !cutOff.isEmpty()))
                .orElseThrow(() -> MessageFormat.lacks("candidates[0].content", response));
        var parts = MessageFormat.list(content, "parts");
        return new ModelTurn(
                parts.stream()
                        .filter(part -> part.member("thought").isEmpty())
                        .map(part -> text(part, "text"))
                        .collect(Collectors.joining()),
                parts.stream()
                        .flatMap(part -> part.member("functionCall").stream())
                        .map(call -> new ToolUse(
                                text(call, "id"),
                                text(call, "name"),
                                call.member("args").map(Json::text).orElse("")))
                        .toList(),
                List.of(Objects.requireNonNull(content.value())),
                cutOff);
    }

    @Override
    public List<Object> results(List<ToolAnswer> answers) {
        var parts = new ArrayList<Object>();
        answers.forEach(answer -> parts.add(object("functionResponse", response(answer))));
        answers.stream()
                .flatMap(answer -> answer.images().stream())
                .forEach(image ->
                        parts.add(object("inlineData", object("mimeType", image.mimeType(), "data", image.data()))));
        return List.of(object("role", "user", "parts", parts));
    }

    private static Map<String, Object> response(ToolAnswer answer) {
        var words = answer.text().isEmpty() ? "The images follow." : answer.text();
        var response =
                object("name", answer.use().name(), "response", object(answer.isError() ? "error" : "output", words));
        if (!answer.use().id().isEmpty()) {
            response.put("id", answer.use().id());
        }
        return response;
    }
}
