package io.mcpbridge.transport.http.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A socket without TLS that the thread with a request uses without waking the event loop. Only the thread that owns the
 * connection calls its methods.
 */
final class DirectSocket extends NioSocketChannel {
    private final ByteBuffer probe = ByteBuffer.allocate(1);

    /**
     * Whether the server has neither closed its side nor sent unexpected data, which the event loop may not have processed
     * yet. If it has, the channel can only be closed, since a byte may be lost.
     */
    boolean isQuiet() {
        try {
            return javaChannel().read(probe.clear()) == 0;
        } catch (IOException broken) {
            return false;
        }
    }

    /** Writes what the socket accepts at once; to be called only while the event loop has nothing to write. */
    void writeNow(ByteBuf bytes) throws IOException {
        var unused = bytes.readBytes(javaChannel(), bytes.readableBytes());
    }
}
