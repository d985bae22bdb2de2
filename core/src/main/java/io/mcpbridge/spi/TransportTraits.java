package io.mcpbridge.spi;

import java.util.OptionalLong;

/**
 * The properties of a transport that the engine uses.
 *
 * @param shape whether requests share one stream
 * @param network the value of OpenTelemetry's {@code network.transport}: {@code pipe}, {@code tcp} or {@code unix}
 * @param address the address of the server, for logs and errors: a URI, a path or the name of a command
 * @param pid the server's process id, if it is a child of the bridge
 */
public record TransportTraits(Shape shape, String network, String address, OptionalLong pid) {

    /** The streams that carry the messages. */
    public enum Shape {
        /** All messages of the connection share one stream in each direction. */
        SHARED_STREAM,
        /** Each request has its own stream for its answer and its notifications. */
        STREAM_PER_REQUEST
    }

    /** The traits for a server that is not a child of the bridge. */
    public static TransportTraits of(Shape shape, String network, String address) {
        return new TransportTraits(shape, network, address, OptionalLong.empty());
    }
}
