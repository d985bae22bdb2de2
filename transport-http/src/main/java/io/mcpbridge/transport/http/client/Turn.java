package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.Failure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;

/**
 * One request and its response on a {@link Connection}. All methods run on the connection's event loop, save
 * {@link #cannotConnect}, which may come from any thread.
 */
interface Turn {

    /** Asks for the request at the last moment; false if nobody wants it any more, and then nothing follows. */
    boolean begin(Connection connection);

    /** The bytes of the request, head and body. */
    ByteBuf request(ByteBufAllocator allocator);

    /** The response's head has come. */
    void head(HttpResponse head);

    /** A part of the response's body has come; the callee neither keeps nor releases it. */
    void body(ByteBuf part);

    /** The response is complete. */
    void end();

    /**
     * The connection ended before the response was complete.
     *
     * @param handedOver whether a byte of the request may have left
     */
    void broken(Throwable cause, boolean handedOver);

    /** No connection could be had; nothing was sent. */
    void cannotConnect(Failure why);
}
