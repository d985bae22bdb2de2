package io.mcpbridge.conformance;

import io.modelcontextprotocol.server.McpServerFeatures.SyncCompletionSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult.CompleteCompletion;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptArgument;
import io.modelcontextprotocol.spec.McpSchema.PromptMessage;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.Role;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** The prompts of {@link LegacyFixture}. */
final class FixturePrompts {
    private static final String WITH_ARGUMENTS = "test_prompt_with_arguments";

    private FixturePrompts() {}

    static List<SyncPromptSpecification> all() {
        return List.of(
                prompt("test_simple_prompt", List.of(), (client, request) -> asked("This is a simple prompt.")),
                prompt(WITH_ARGUMENTS, List.of("arg1", "arg2"), (client, request) -> withArguments(request)),
                prompt(
                        "test_prompt_with_embedded_resource",
                        List.of("resourceUri"),
                        (client, request) -> withResource(request)),
                prompt("test_prompt_with_image", List.of(), (client, request) -> withImage()),
                prompt("test_input_required_result_prompt", List.of(), (client, request) -> withContext(client)));
    }

    static SyncPromptSpecification prompt(
            String name,
            List<String> arguments,
            BiFunction<McpSyncServerExchange, GetPromptRequest, GetPromptResult> handler) {
        var prompt = Prompt.builder(name)
                .description("Does what the conformance suite asks of '" + name + "'.")
                .arguments(arguments.stream().map(FixturePrompts::argument).toList())
                .build();
        return new SyncPromptSpecification(prompt, handler);
    }

    private static PromptArgument argument(String name) {
        return PromptArgument.builder(name)
                .description("The argument " + name)
                .required(true)
                .build();
    }

    /** Suggests what continues the beginning of the first argument. */
    static SyncCompletionSpecification completion() {
        return new SyncCompletionSpecification(
                PromptReference.builder(WITH_ARGUMENTS).build(),
                (client, request) -> new CompleteResult(new CompleteCompletion(
                        Stream.of("paris", "park", "party", "test-case")
                                .filter(value ->
                                        value.startsWith(request.argument().value()))
                                .toList(),
                        null,
                        false)));
    }

    static GetPromptResult asked(String... texts) {
        return messages(Stream.of(texts).map(Samples::text).toArray(Content[]::new));
    }

    private static GetPromptResult messages(Content... contents) {
        return GetPromptResult.builder(Stream.of(contents)
                        .map(content ->
                                PromptMessage.builder(Role.USER, content).build())
                        .toList())
                .build();
    }

    private static GetPromptResult withArguments(GetPromptRequest request) {
        var arguments = request.arguments();
        return asked(
                "Prompt with arguments: arg1='%s', arg2='%s'".formatted(arguments.get("arg1"), arguments.get("arg2")));
    }

    private static GetPromptResult withResource(GetPromptRequest request) {
        var uri = String.valueOf(request.arguments().get("resourceUri"));
        return messages(
                Samples.embedded(uri, "text/plain", "Embedded resource content for testing."),
                Samples.text("Please process the embedded resource above."));
    }

    private static GetPromptResult withImage() {
        return messages(Samples.image(), Samples.text("Please analyze the image above."));
    }

    private static GetPromptResult withContext(McpSyncServerExchange client) {
        var answer = Questions.form(client, "user_context", "What context should the prompt use?", "context");
        return asked("The context is " + answer.content());
    }
}
