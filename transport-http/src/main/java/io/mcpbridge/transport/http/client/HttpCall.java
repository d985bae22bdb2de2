package io.mcpbridge.transport.http.client;

import io.mcpbridge.failure.Failure;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponse;

/**
 * One request and its response on an {@link HttpConnection}. The thread that runs it calls the first three methods; the
 * event loop of the connection calls the others, except {@link #cannotConnect}, which any thread may call.
 */
interface HttpCall {

    /** The request is about to be sent; false if it is cancelled, and then nothing follows. */
    boolean begin(HttpConnection connection);

    /** Whether it has not been cancelled since it began. */
    default boolean isPending() {
        return true;
    }

    /** The bytes of the request: head and body. */
    ByteBuf request(ByteBufAllocator allocator);

    /** The head of the response has arrived. */
    void head(HttpResponse head);

    /** A part of the body has arrived; the callee neither keeps nor releases it. */
    default void body(ByteBuf part) {}

    /** The response is complete. */
    default void end() {
        over();
    }

    /**
     * The connection ended before the response was complete.
     *
     * @param handedOver whether a byte of the request may have been sent
     */
    default void broken(Throwable cause, boolean handedOver) {
        over();
    }

    /** There is no connection; nothing was sent. */
    default void cannotConnect(Failure why) {
        over();
    }

    /** Nothing more comes; called by the three methods above, for a call to which they are the same. */
    default void over() {}
}
