package io.mcpbridge.gateway;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Writes to a channel while another thread reads from it, which the streams of {@code Channels} do not allow. */
final class FullWrites extends OutputStream {
    private final SocketChannel channel;

    FullWrites(SocketChannel channel) {
        this.channel = channel;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        var buffer = ByteBuffer.wrap(bytes, offset, length);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }
}
