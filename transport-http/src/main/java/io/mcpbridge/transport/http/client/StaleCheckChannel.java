package io.mcpbridge.transport.http.client;

import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A socket that can check right before a request whether the server has closed it: data that the event loop has not
 * processed yet is already in the system's buffer. Used by its event loop.
 */
final class StaleCheckChannel extends NioSocketChannel {
    private final ByteBuffer probe = ByteBuffer.allocate(1);

    /**
     * Whether the server has neither closed its side nor sent unexpected data. If it has, the channel can only be
     * closed, since a byte may be lost.
     */
    boolean isQuiet() {
        try {
            return javaChannel().read(probe.clear()) == 0;
        } catch (IOException broken) {
            return false;
        }
    }
}
