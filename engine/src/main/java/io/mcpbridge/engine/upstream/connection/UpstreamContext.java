package io.mcpbridge.engine.upstream.connection;

import io.mcpbridge.engine.upstream.connection.ToolCallCheck.KnownTools;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Environment;
import java.util.function.Consumer;

/**
 * The parts that all connections to one server share.
 *
 * @param eras the era of the server
 * @param queue counts the calls that wait
 * @param admission decides which calls may be sent
 * @param latencies records how long answers take
 * @param dropped counts messages of the server that have no recipient
 * @param timeouts receives the failure of each call that timed out, as its caller does
 * @param tools the tools that the server listed
 * @param authorization creates the headers with the credentials of the caller
 */
public record UpstreamContext(
        UpstreamParts parts,
        EraMemory eras,
        CallQueueLimit queue,
        ToolCallCheck admission,
        LatencyStats latencies,
        DropCounter dropped,
        Consumer<Failure> timeouts,
        KnownTools tools,
        Authorization authorization) {

    /** The server's configured name. */
    public String server() {
        return parts.name();
    }

    public Environment environment() {
        return parts.environment();
    }
}
