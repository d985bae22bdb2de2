package io.mcpbridge.agents;

import io.mcpbridge.Bridge;
import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The servers of an agent or a workflow, usually a {@link Bridge}. Any thread may use it. */
public interface ToolSource {

    /** The tools of a server, under their own names. */
    List<ToolDefinition> listTools(String server) throws InterruptedException;

    /** The tools of these servers, in this order. */
    default Map<String, List<ToolDefinition>> listTools(Collection<String> servers) throws InterruptedException {
        var tools = new LinkedHashMap<String, List<ToolDefinition>>();
        for (var server : new LinkedHashSet<>(servers)) {
            tools.put(server, listTools(server));
        }
        return tools;
    }

    /** Calls a tool without waiting; cancelling the future cancels the call. */
    CompletableFuture<ToolResult> callTool(String server, String tool, Map<String, ?> arguments, CallOptions options);

    /** The servers of a bridge, which stays the caller's. */
    static ToolSource of(Bridge bridge) {
        return new ToolSource() {
            @Override
            public List<ToolDefinition> listTools(String server) throws InterruptedException {
                return bridge.listTools(server);
            }

            @Override
            public CompletableFuture<ToolResult> callTool(
                    String server, String tool, Map<String, ?> arguments, CallOptions options) {
                return bridge.callToolAsync(server, tool, arguments, options);
            }
        };
    }

    /**
     * The servers behind a daemon with {@code names: prefix}, told apart by the prefix of their tools; the empty name
     * stands for all of them. The connection stays the caller's.
     */
    static ToolSource of(Connection daemon) {
        return new DaemonTools(daemon);
    }
}
