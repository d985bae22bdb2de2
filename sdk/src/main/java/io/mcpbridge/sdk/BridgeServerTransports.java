package io.mcpbridge.sdk;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import io.modelcontextprotocol.spec.McpServerTransportProvider;
import java.nio.file.Path;
import java.util.Map;

/**
 * Transports of the official SDK's servers over listeners of the bridge. Each serves one server, which begins to listen
 * when it is built and ends when it is closed. Until then, a thread keeps the program alive.
 */
public final class BridgeServerTransports {
    private BridgeServerTransports() {}

    /**
     * Serves clients at a Unix socket, which only this user and root can reach; needs {@code mcp-bridge-transport-unix}.
     *
     * @throws ConfigurationException if the listener is not on the class path
     */
    public static McpServerTransportProvider unix(Path socket) {
        return new ListenerTransportProvider("unix", Settings.of(Map.of("path", socket.toString())));
    }

    /**
     * Serves the client that started this process, over its standard streams; needs {@code mcp-bridge-transport-stdio}.
     * What the program prints goes to standard error. The program may end when the client has left.
     *
     * @throws ConfigurationException if the listener is not on the class path
     */
    public static McpServerTransportProvider stdio() {
        return new ListenerTransportProvider("stdio", Settings.of(Map.of()));
    }
}
