package io.mcpbridge.routing;

import io.mcpbridge.call.Handler;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.UpstreamTools;

/**
 * One server in the table of routes.
 *
 * @param upstream the server
 * @param tools what it lists
 * @param handler the server behind its own stages
 */
public record Route(Upstream upstream, UpstreamTools tools, Handler handler) {

    String server() {
        return upstream.name();
    }
}
