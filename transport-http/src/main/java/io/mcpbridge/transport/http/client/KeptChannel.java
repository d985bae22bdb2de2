package io.mcpbridge.transport.http.client;

import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A socket that can be asked whether the server has ended it, at the moment before a request is written: what the event
 * loop has not come to yet is in the system's hands already. Used by its event loop.
 */
final class KeptChannel extends NioSocketChannel {
    private final ByteBuffer probe = ByteBuffer.allocate(1);

    /**
     * Whether the server has neither ended its side nor said something that nobody asked for. If not, the channel can
     * only be closed, since a byte may be missing.
     */
    boolean isQuiet() {
        try {
            return javaChannel().read(probe.clear()) == 0;
        } catch (IOException broken) {
            return false;
        }
    }
}
