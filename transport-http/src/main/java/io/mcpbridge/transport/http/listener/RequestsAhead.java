package io.mcpbridge.transport.http.listener;

import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpObject;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Parts of requests that came before the last one was answered. Belongs to the event loop of its connection.
 *
 * <p>A little is read ahead, since only who reads notices that a client is gone.
 */
final class RequestsAhead {
    private static final int MOST = 256;
    private static final int ENOUGH = 64;
    private static final int ENOUGH_BYTES = 16 << 10;

    private final Deque<HttpObject> parts = new ArrayDeque<>();
    private long bytes;

    void add(HttpObject part) {
        parts.add(part);
        bytes += size(part);
    }

    HttpObject remove() {
        var part = parts.remove();
        bytes -= size(part);
        return part;
    }

    boolean isEmpty() {
        return parts.isEmpty();
    }

    /** Whether nothing more should be read for now. */
    boolean isEnough() {
        return parts.size() >= ENOUGH || bytes >= ENOUGH_BYTES;
    }

    /** Whether the client sends more than anybody has to put up with. */
    boolean isTooMuch() {
        return parts.size() > MOST;
    }

    void release() {
        parts.forEach(ReferenceCountUtil::release);
        parts.clear();
        bytes = 0;
    }

    private static int size(HttpObject part) {
        return part instanceof HttpContent content ? content.content().readableBytes() : 0;
    }
}
