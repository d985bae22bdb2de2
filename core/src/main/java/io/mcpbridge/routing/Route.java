package io.mcpbridge.routing;

import io.mcpbridge.call.Handler;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.lists.UpstreamList;
import io.mcpbridge.upstream.lists.UpstreamLists;
import java.util.Optional;

/**
 * One server in the table of routes.
 *
 * @param upstream the server
 * @param lists what it lists
 * @param stages what its calls pass
 * @param handler the server behind its own stages
 * @param sandbox how firmly the server's process is held; empty where it is no child of ours
 */
public record Route(
        Upstream upstream, UpstreamLists lists, ServerStages stages, Handler handler, Optional<SandboxLevel> sandbox) {

    /** The server's tools. */
    public UpstreamList<ToolDefinition> tools() {
        return lists.tools();
    }

    /** The same server behind another handler, such as one that counts its calls. */
    public Route withHandler(Handler newHandler) {
        return new Route(upstream, lists, stages, newHandler, sandbox);
    }

    String server() {
        return upstream.name();
    }
}
