package io.mcpbridge.examples;

import io.mcpbridge.Bridge;
import io.mcpbridge.sdk.BridgeServerTransports;
import io.mcpbridge.sdk.BridgeTransports;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import java.nio.file.Path;
import java.util.Map;

/** Clients and servers of the official SDK. */
public final class OfficialSdk {
    private OfficialSdk() {}

    /** Calls a tool of the server {@code demo} in a configuration. */
    public static CallToolResult call(Path file) {
        try (var bridge = Bridge.open(file);
                var client = McpClient.sync(BridgeTransports.all(bridge)).build()) {
            client.initialize();
            return client.callTool(CallToolRequest.builder("demo__echo")
                    .arguments(Map.of("message", "hello"))
                    .build());
        }
    }

    /** Serves a tool at a Unix socket. */
    public static McpSyncServer serve(Path socket, SyncToolSpecification tool) {
        return McpServer.sync(BridgeServerTransports.unix(socket))
                .serverInfo("tools", "1.0")
                .tools(tool)
                .build();
    }
}
