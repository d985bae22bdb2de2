package io.mcpbridge.conformance;

import static io.mcpbridge.conformance.FixtureTool.ANY;
import static io.mcpbridge.conformance.FixtureTool.said;
import static io.mcpbridge.conformance.FixtureTool.tool;

import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The tools of {@link LegacyFixture} that ask the client something before they answer. */
final class AskingTools {
    private static final Executor THREADS = task -> new Thread(task, "asking").start();

    private static final String USER_SCHEMA = """
        {"type": "object", "required": ["username", "email"], "properties": {
          "username": {"type": "string", "description": "The user's name"},
          "email": {"type": "string", "description": "The user's address"}}}\
        """;

    private static final String DEFAULTS_SCHEMA = """
        {"type": "object", "properties": {
          "name": {"type": "string", "default": "John Doe"},
          "age": {"type": "integer", "default": 30},
          "score": {"type": "number", "default": 95.5},
          "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
          "verified": {"type": "boolean", "default": true}}}\
        """;

    private static final String ENUMS_SCHEMA = """
        {"type": "object", "properties": {
          "untitledSingle": {"type": "string", "enum": ["red", "green"]},
          "titledSingle": {"type": "string", "oneOf": [{"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]},
          "legacyEnum": {"type": "string", "enum": ["r", "g"], "enumNames": ["Red", "Green"]},
          "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["red", "green"]}},
          "titledMulti": {"type": "array", "items": {"anyOf": [
            {"const": "r", "title": "Red"}, {"const": "g", "title": "Green"}]}}}}\
        """;

    private static final String PROMPT_SCHEMA = """
        {"type": "object", "properties": {"prompt": {"type": "string"}}, "required": ["prompt"]}\
        """;

    private static final String MESSAGE_SCHEMA = """
        {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}\
        """;

    private AskingTools() {}

    /** @param stream holds the questions of a call that have to reach the client at once */
    static List<SyncToolSpecification> all(Function<McpSyncServerExchange, LinesTogether> stream) {
        return List.of(
                tool("test_sampling", PROMPT_SCHEMA, (client, call) -> sampled(client, argument(call, "prompt"))),
                tool("test_elicitation", MESSAGE_SCHEMA, AskingTools::user),
                form("test_elicitation_sep1034_defaults", DEFAULTS_SCHEMA),
                form("test_elicitation_sep1330_enums", ENUMS_SCHEMA),
                tool("test_missing_capability", ANY, (client, call) -> sampled(client, "What is missing?")),
                name("test_streaming_elicitation"),
                name("test_input_required_result_elicitation"),
                tool(
                        "test_input_required_result_sampling",
                        ANY,
                        (client, call) -> sampled(client, "Capital of France?")),
                tool("test_input_required_result_list_roots", ANY, (client, call) -> roots(client)),
                name("test_input_required_result_request_state"),
                name("test_input_required_result_tampered_state"),
                tool(
                        "test_input_required_result_multiple_inputs",
                        ANY,
                        (client, call) -> threeAtOnce(client, stream.apply(client))),
                tool("test_input_required_result_multi_round", ANY, (client, call) -> twoRounds(client)),
                tool("test_input_required_result_capabilities", ANY, (client, call) -> whatItCan(client)));
    }

    private static String argument(CallToolRequest call, String name) {
        return String.valueOf(call.arguments().get(name));
    }

    private static CallToolResult sampled(McpSyncServerExchange client, String prompt) {
        return said("LLM response: " + Questions.sample(client, prompt).content());
    }

    private static CallToolResult user(McpSyncServerExchange client, CallToolRequest call) {
        return told(Questions.schema(client, "user", argument(call, "message"), USER_SCHEMA));
    }

    private static SyncToolSpecification form(String name, String schema) {
        return tool(name, ANY, (client, call) -> told(Questions.schema(client, "form", "Please fill in", schema)));
    }

    private static SyncToolSpecification name(String name) {
        return tool(name, ANY, (client, call) -> told(name(client)));
    }

    private static ElicitResult name(McpSyncServerExchange client) {
        return Questions.form(client, "user_name", "What is your name?", "name");
    }

    private static CallToolResult told(ElicitResult answer) {
        return said("Elicitation completed: action=%s, content=%s".formatted(answer.action(), answer.content()));
    }

    private static CallToolResult roots(McpSyncServerExchange client) {
        return said("Roots: " + client.listRoots().roots());
    }

    /** The SDK's stream rejects concurrent messages, so each request waits for its turn. */
    private static CallToolResult threeAtOnce(McpSyncServerExchange client, LinesTogether stream) {
        stream.holdNext(3);
        var name = CompletableFuture.supplyAsync(() -> name(client), THREADS);
        stream.awaitMissing(2);
        var greeting = CompletableFuture.supplyAsync(() -> Questions.sample(client, "Greet somebody"), THREADS);
        stream.awaitMissing(1);
        var roots = CompletableFuture.supplyAsync(client::listRoots, THREADS);
        return said("%s to %s from %s"
                .formatted(
                        greeting.join().content(),
                        name.join().content(),
                        roots.join().roots()));
    }

    private static CallToolResult twoRounds(McpSyncServerExchange client) {
        var name = Questions.form(client, "step1", "Step 1: What is your name?", "name");
        var color = Questions.form(client, "step2", "Step 2: What is your favorite color?", "color");
        return said("%s likes %s".formatted(name.content(), color.content()));
    }

    private static CallToolResult whatItCan(McpSyncServerExchange client) {
        var declared = client.getClientCapabilities();
        if (declared.elicitation() == null) {
            return sampled(client, "Who are you?");
        }
        try {
            return told(name(client));
        } catch (McpError cannotBeAsked) {
            return sampled(client, "Who are you?");
        }
    }
}
