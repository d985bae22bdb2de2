package io.mcpbridge.agents;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The servers of the daemon, told apart by the prefix of their tools; the empty name stands for all of them. */
record DaemonTools(Connection connection) implements ToolSource {

    @Override
    public List<ToolDefinition> listTools(String server) throws InterruptedException {
        return of(server, connection.listTools());
    }

    @Override
    public Map<String, List<ToolDefinition>> listTools(Collection<String> servers) throws InterruptedException {
        var all = connection.listTools();
        var tools = new LinkedHashMap<String, List<ToolDefinition>>();
        servers.forEach(server -> tools.put(server, of(server, all)));
        return tools;
    }

    private static List<ToolDefinition> of(String server, List<ToolDefinition> all) {
        var prefix = prefix(server);
        var found = all.stream()
                .filter(tool -> tool.name().startsWith(prefix))
                .map(tool -> tool.withName(tool.name().substring(prefix.length())))
                .toList();
        if (found.isEmpty() && !server.isEmpty()) {
            var names = all.stream()
                    .map(tool -> tool.name().split(ToolNaming.SEPARATOR, 2)[0])
                    .distinct()
                    .toList();
            throw ConfigurationException.of("the daemon lists no tools of a server '%s'; %sthere are tools of %s"
                    .formatted(server, Nearest.question(server, names), names));
        }
        return found;
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
