package io.mcpbridge.agents;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure.ServerError;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The servers of the daemon, told apart by the prefix of their tools; the empty name stands for all of them. */
record DaemonTools(Connection connection) implements ToolSource {
    private static final Set<Integer> UNREACHABLE = Set.of(
            ErrorCode.PROVIDER_INIT_FAILED.jsonRpcCode(),
            ErrorCode.PROVIDER_UNAVAILABLE.jsonRpcCode(),
            ErrorCode.PROVIDER_TIMEOUT.jsonRpcCode(),
            ErrorCode.PROVIDER_CRASHED.jsonRpcCode());

    @Override
    public List<ToolDefinition> listTools(String server) throws InterruptedException {
        return of(server, connection.listTools());
    }

    @Override
    public Map<String, List<ToolDefinition>> listTools(Collection<String> servers) throws InterruptedException {
        var all = connection.listTools();
        var tools = new LinkedHashMap<String, List<ToolDefinition>>();
        for (var server : servers) {
            tools.put(server, of(server, all));
        }
        return tools;
    }

    private List<ToolDefinition> of(String server, List<ToolDefinition> all) throws InterruptedException {
        var prefix = prefix(server);
        var found = all.stream()
                .filter(tool -> tool.name().startsWith(prefix))
                .map(tool -> tool.withName(tool.name().substring(prefix.length())))
                .toList();
        if (found.isEmpty() && !server.isEmpty()) {
            requireReachable(server);
            var names = all.stream()
                    .map(tool -> tool.name().split(ToolNaming.SEPARATOR, 2)[0])
                    .distinct()
                    .toList();
            throw ConfigurationException.of("the daemon lists no tools of a server '%s'; %sthere are tools of %s"
                    .formatted(server, Nearest.question(server, names), names));
        }
        return found;
    }

    /**
     * The list does not tell a server that the daemon cannot reach from one that it does not have. A request that only
     * reads does.
     *
     * @throws CallException if the daemon has the server but cannot reach it
     */
    private void requireReachable(String server) throws InterruptedException {
        try {
            connection.server().getPrompt(prefix(server) + "none", Map.of());
        } catch (CallException failed) {
            var answered = failed.failure().serverError().map(ServerError::code);
            if (UNREACHABLE.contains(answered.orElse(failed.code().jsonRpcCode()))) {
                throw failed;
            }
        }
    }

    @Override
    public CompletableFuture<ToolResult> callTool(
            String server, String tool, Map<String, ?> arguments, CallOptions options) {
        return connection.callToolAsync(prefix(server) + tool, arguments, options);
    }

    private static String prefix(String server) {
        return server.isEmpty() ? "" : server + ToolNaming.SEPARATOR;
    }
}
