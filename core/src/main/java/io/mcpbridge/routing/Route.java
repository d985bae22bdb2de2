package io.mcpbridge.routing;

import io.mcpbridge.call.Handler;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.lists.UpstreamList;
import io.mcpbridge.upstream.lists.UpstreamLists;

/**
 * One server in the table of routes.
 *
 * @param upstream the server
 * @param lists what it lists
 * @param stages what its calls pass
 * @param handler the server behind its own stages
 */
public record Route(Upstream upstream, UpstreamLists lists, ServerStages stages, Handler handler) {

    /** The server's tools. */
    public UpstreamList<ToolDefinition> tools() {
        return lists.tools();
    }

    /** The same server behind another handler, such as one that counts its calls. */
    public Route withHandler(Handler newHandler) {
        return new Route(upstream, lists, stages, newHandler);
    }

    String server() {
        return upstream.name();
    }
}
