package io.mcpbridge.peers;

import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;

/** The main class of a server made with the official Java SDK, which speaks over its standard streams. */
final class SdkStdioServer {
    private SdkStdioServer() {}

    static ChildServer command() {
        return new ChildServer(JavaCommand.of(SdkStdioServer.class.getName()));
    }

    /** Begins to serve and returns; the threads of the SDK keep running. */
    public static void main(String[] arguments) {
        McpServer.sync(new StdioServerTransportProvider(McpJsonDefaults.getMapper()))
                .serverInfo(SdkTools.SERVER, "1.0")
                .capabilities(SdkTools.capabilities())
                .tools(SdkTools.all())
                .build();
    }
}
