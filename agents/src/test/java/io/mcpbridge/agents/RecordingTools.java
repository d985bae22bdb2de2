package io.mcpbridge.agents;

import io.mcpbridge.CallOptions;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

/** Servers that a test controls, with the calls that came. */
final class RecordingTools implements ToolSource {
    private final Map<String, List<ToolDefinition>> tools = new LinkedHashMap<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile BiFunction<String, Map<String, ?>, CompletableFuture<ToolResult>> handler =
            (tool, arguments) -> CompletableFuture.completedFuture(
                    result("{\"content\":[{\"type\":\"text\",\"text\":\"%s done\"}]}".formatted(tool)));

    static ToolResult result(String json) {
        return ToolResult.parse("tool", json, "id", Duration.ZERO);
    }

    RecordingTools tool(String server, String name) {
        return tool(server, name, "{\"type\":\"object\",\"properties\":{}}");
    }

    RecordingTools tool(String server, String name, String schema) {
        tools.computeIfAbsent(server, none -> new ArrayList<>())
                .add(ToolDefinition.parse(Json.of(Map.of(
                                "name", name, "inputSchema", Json.parse(schema).asMap()))
                        .text()));
        return this;
    }

    /** Answers every call with this result. */
    RecordingTools returning(String resultJson) {
        return answering((tool, arguments) -> CompletableFuture.completedFuture(result(resultJson)));
    }

    RecordingTools answering(BiFunction<String, Map<String, ?>, CompletableFuture<ToolResult>> newHandler) {
        handler = newHandler;
        return this;
    }

    /** The calls so far, as {@code server.tool{arguments}}. */
    List<String> calls() {
        return calls;
    }

    @Override
    public List<ToolDefinition> listTools(String server) {
        return tools.getOrDefault(server, List.of());
    }

    @Override
    public CompletableFuture<ToolResult> callTool(
            String server, String tool, Map<String, ?> arguments, CallOptions options) {
        calls.add(server + "." + tool + Json.of(arguments).text());
        return handler.apply(tool, arguments);
    }
}
