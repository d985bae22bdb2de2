package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Environment;
import java.util.function.Consumer;

/**
 * What all connections to one server share.
 *
 * @param eras the era of the server
 * @param queue counts the calls that wait
 * @param admission decides which calls may be sent
 * @param latencies records how long answers take
 * @param dropped counts messages of the server that have no recipient
 * @param timeouts receives the failure of each call that got no answer in time; the caller gets it too
 * @param headers makes the headers that modern servers over HTTP expect with calls of tools
 * @param authorization makes the headers that show the server who calls
 */
public record ConnectionContext(
        UpstreamParts parts,
        EraMemory eras,
        CallQueueLimit queue,
        ToolCallCheck admission,
        LatencyStats latencies,
        DropCounter dropped,
        Consumer<Failure> timeouts,
        ToolCallHeaders headers,
        Authorization authorization) {

    /** The server's configured name. */
    public String server() {
        return parts.name();
    }

    public Environment environment() {
        return parts.environment();
    }
}
