package io.mcpbridge.conformance;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.ElicitationHandler.ElicitRequest;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.tool.Json;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The main class of a client that does what the suite's client scenarios ask for, by means of {@link Connection}.
 *
 * <p>The suite starts it with the address of a server and names the scenario in the environment.
 */
public final class ConformanceClient {
    private static final McpJsonMapper JSON = McpJsonDefaults.getMapper();

    private static final ConnectionOptions OPTIONS = ConnectionOptions.DEFAULTS
            .withRetryPolicy("none")
            .withMaxAttempts(1)
            .withoutSchemaCheck()
            .withElicitationHandler(ConformanceClient::acceptDefaults);

    private ConformanceClient() {}

    /** Connects, runs the scenario and ends. */
    public static void main(String[] arguments) throws Exception {
        try (var server = Connection.to(URI.create(arguments[0]), OPTIONS)) {
            run(System.getenv("MCP_CONFORMANCE_SCENARIO"), server);
        }
    }

    private static void run(String scenario, Connection server) throws InterruptedException, IOException {
        var tools = server.listTools();
        switch (scenario) {
            case "tools_call" -> server.callTool("add_numbers", Map.of("a", 5, "b", 3));
            case "sse-retry" -> server.callTool("test_reconnection", Map.of());
            case "elicitation-sep1034-client-defaults" -> server.callTool("test_client_elicitation_defaults", Map.of());
            case "sep-2322-client-request-state" ->
                callAll(
                        server,
                        List.of(
                                "test_mrtr_echo_state",
                                "test_mrtr_unrelated",
                                "test_mrtr_no_state",
                                "test_mrtr_no_result_type"));
            case "http-standard-headers" -> useEverything(server);
            case "http-custom-headers" -> callAsConfigured(server);
            case "http-invalid-tool-headers" ->
                callAll(server, tools.stream().map(tool -> tool.name()).toList());
            default -> {
                // To connect and to list is all that the others look at.
            }
        }
    }

    private static void callAll(Connection server, List<String> tools) throws InterruptedException {
        for (var tool : tools) {
            server.callTool(tool, Map.of("region", "north"));
        }
    }

    private static void useEverything(Connection server) throws InterruptedException {
        callAll(server, List.of("test_headers", "my-hyphenated-tool"));
        server.server().listResources();
        server.server().readResource("file:///path/to/file%20name.txt");
        server.server().listPrompts();
        server.server().getPrompt("test_prompt", Map.of());
    }

    /** Makes the calls that the suite describes. */
    private static void callAsConfigured(Connection server) throws InterruptedException, IOException {
        var context = JSON.readValue(System.getenv("MCP_CONFORMANCE_CONTEXT"), new TypeRef<Context>() {});
        for (var call : context.toolCalls()) {
            server.callTool(call.name(), call.arguments());
        }
    }

    /** Fills in a form with what it proposes, and says yes to the rest. */
    private static ElicitResult acceptDefaults(ElicitRequest request) {
        var properties = request.requestedSchema()
                .flatMap(schema -> schema.member("properties"))
                .orElseThrow();
        var content = new HashMap<String, Object>();
        for (var name : properties.asMap().keySet()) {
            var proposed = properties.member(name).flatMap(field -> field.member("default"));
            content.put(name, proposed.map(Json::value).orElse(true));
        }
        return ElicitResult.accept(content);
    }

    /** The context that the suite passes to some of its scenarios. */
    record Context(String name, List<Call> toolCalls) {}

    /** A call to make. */
    record Call(String name, Map<String, Object> arguments) {}
}
