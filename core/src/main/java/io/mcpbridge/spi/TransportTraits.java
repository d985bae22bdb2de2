package io.mcpbridge.spi;

import java.util.OptionalLong;

/**
 * What the layers above have to know about a transport.
 *
 * @param shape whether requests share one stream
 * @param network the value of OpenTelemetry's {@code network.transport}: {@code pipe}, {@code tcp} or {@code unix}
 * @param address where the server is, for logs and errors: a URI, a path or a command's name
 * @param pid the server's process id, where it is a child of ours
 */
public record TransportTraits(Shape shape, String network, String address, OptionalLong pid) {

    /** How messages travel. */
    public enum Shape {
        /** All messages of the connection share one stream in each direction. */
        SHARED_STREAM,
        /** Each request has a stream of its own for its answer and what belongs to it. */
        STREAM_PER_REQUEST
    }

    /** Traits of a server that is not a child of ours. */
    public static TransportTraits of(Shape shape, String network, String address) {
        return new TransportTraits(shape, network, address, OptionalLong.empty());
    }
}
