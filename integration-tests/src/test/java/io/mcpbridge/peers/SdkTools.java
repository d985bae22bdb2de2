package io.mcpbridge.peers;

import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** The tools of a server made with the official Java SDK. */
final class SdkTools {
    static final String SERVER = "java-sdk";
    static final int STEPS = 3;

    private SdkTools() {}

    static ServerCapabilities capabilities() {
        return ServerCapabilities.builder().tools(true).logging().build();
    }

    static List<SyncToolSpecification> all() {
        return List.of(
                tool("echo", SdkTools::echo),
                tool("steps", SdkTools::steps),
                tool("log", SdkTools::log),
                tool("ask", SdkTools::ask),
                tool("fail", SdkTools::fail));
    }

    private static SyncToolSpecification tool(
            String name, BiFunction<McpSyncServerExchange, CallToolRequest, CallToolResult> handler) {
        var tool = Tool.builder(name, Map.of("type", "object")).build();
        return SyncToolSpecification.builder().tool(tool).callHandler(handler).build();
    }

    private static CallToolResult echo(McpSyncServerExchange exchange, CallToolRequest request) {
        return text(String.valueOf(request.arguments().get("text")));
    }

    private static CallToolResult steps(McpSyncServerExchange exchange, CallToolRequest request) {
        for (int step = 1; step <= STEPS; step++) {
            exchange.progressNotification(ProgressNotification.builder(request.progressToken(), step)
                    .total((double) STEPS)
                    .message("step " + step)
                    .build());
        }
        return text("done");
    }

    private static CallToolResult log(McpSyncServerExchange exchange, CallToolRequest request) {
        var line = String.valueOf(request.arguments().get("line"));
        exchange.loggingNotification(
                LoggingMessageNotification.builder(LoggingLevel.WARNING, line).build());
        return text("logged");
    }

    private static CallToolResult ask(McpSyncServerExchange exchange, CallToolRequest request) {
        var schema = Map.<String, Object>of(
                "type", "object", "properties", Map.of("name", Map.of("type", "string")), "required", List.of("name"));
        var answer = exchange.createElicitation(
                ElicitFormRequest.builder("Who are you?", schema).build());
        return text(answer.action() + " " + answer.content().get("name"));
    }

    private static CallToolResult fail(McpSyncServerExchange exchange, CallToolRequest request) {
        return CallToolResult.builder()
                .addTextContent("it went wrong")
                .isError(true)
                .build();
    }

    private static CallToolResult text(String text) {
        return CallToolResult.builder().addTextContent(text).build();
    }
}
