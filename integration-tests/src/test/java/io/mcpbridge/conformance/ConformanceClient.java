package io.mcpbridge.conformance;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.TypeRef;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * The main class of a client that does what the suite's client scenarios ask for, by means of {@link Connection}.
 *
 * <p>The suite starts it with the address of a server and names the scenario in the environment.
 */
public final class ConformanceClient {
    private static final ConnectionOptions OPTIONS =
            ConnectionOptions.DEFAULTS.withRetryPolicy("none").withMaxAttempts(1);

    private ConformanceClient() {}

    /** Connects, does what the scenario asks for and ends. */
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
            case "http-standard-headers" -> server.callTool("test_headers", Map.of());
            case "http-custom-headers" -> callAsTold(server);
            case "http-invalid-tool-headers" -> {
                for (var tool : tools) {
                    server.callTool(tool.name(), Map.of("region", "north"));
                }
            }
            default -> {
                // To connect and to list is all that the others look at.
            }
        }
    }

    /** Makes the calls that the suite describes. */
    private static void callAsTold(Connection server) throws InterruptedException, IOException {
        var context = McpJsonDefaults.getMapper()
                .readValue(System.getenv("MCP_CONFORMANCE_CONTEXT"), new TypeRef<Context>() {});
        for (var call : context.toolCalls()) {
            server.callTool(call.name(), call.arguments());
        }
    }

    /** What the suite tells some of its scenarios. */
    record Context(String name, List<Call> toolCalls) {}

    /** A call to make. */
    record Call(String name, Map<String, Object> arguments) {}
}
