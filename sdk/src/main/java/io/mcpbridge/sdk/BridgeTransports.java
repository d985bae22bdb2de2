package io.mcpbridge.sdk;

import io.mcpbridge.Bridge;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.sdk.FrontTransport.Front;
import io.mcpbridge.spi.MistakeCollector;
import io.modelcontextprotocol.spec.McpClientTransport;
import java.net.URI;
import java.util.Map;

/**
 * Transports of the official SDK's clients to servers behind a bridge.
 *
 * <p>The bridge answers {@code initialize} at once and connects a server at its first call. The session of the client
 * survives a server that ends. Each client needs a transport of its own. Callbacks of a client run on one thread of its
 * transport, which ends with the client.
 */
public final class BridgeTransports {
    /** The name of the only server of a bridge that a transport opens. */
    private static final String SERVER = "server";

    private BridgeTransports() {}

    /**
     * Connects to all servers of a bridge, which clients see under exposed names such as {@code github__get_issue}.
     * Closing the client leaves the bridge open.
     *
     * @throws ConfigurationException if the section {@code audit} of the bridge is wrong
     */
    public static McpClientTransport all(Bridge bridge) {
        var acceptor = bridge.front();
        return new FrontTransport(() -> new Front(acceptor, () -> {}));
    }

    /**
     * Connects to one server of a bridge, whose own names clients see. Closing the client leaves the bridge open.
     *
     * @throws ConfigurationException if there is no such server, or the section {@code audit} of the bridge is wrong
     */
    public static McpClientTransport of(Bridge bridge, String server) {
        var acceptor = bridge.front(server);
        return new FrontTransport(() -> new Front(acceptor, () -> {}));
    }

    /**
     * Connects to a daemon or a server, through a bridge that the client opens and closes.
     *
     * @param uri such as {@code unix:/run/user/1000/mcp-bridge/mcp.sock} or {@code https://host/mcp}
     * @throws ConfigurationException if the URI has no scheme
     */
    public static McpClientTransport to(URI uri) {
        var scheme = uri.getScheme();
        if (scheme == null) {
            throw ConfigurationException.of(
                    "%s has no scheme; write for example unix:/run/tool.sock or http://localhost:3001/mcp"
                            .formatted(MistakeCollector.shown(uri)));
        }
        var type = scheme.startsWith("http") ? "http" : scheme;
        return new FrontTransport(() -> {
            var bridge =
                    Bridge.builder().http(SERVER, uri, Map.of("type", type)).open();
            return new Front(bridge.front(SERVER), bridge::close);
        });
    }
}
