package io.mcpbridge.testkit.faulty;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** The streams of a socket that may be read and written at once; those of JDK 17's {@code Channels} wait for each other. */
final class ChannelStreams {
    private ChannelStreams() {}

    static InputStream in(SocketChannel channel) {
        return new InputStream() {
            @Override
            public int read() throws IOException {
                var one = new byte[1];
                return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
            }

            @Override
            public int read(byte[] target, int offset, int length) throws IOException {
                return length == 0 ? 0 : channel.read(ByteBuffer.wrap(target, offset, length));
            }
        };
    }

    static OutputStream out(SocketChannel channel) {
        return new OutputStream() {
            @Override
            public void write(int next) throws IOException {
                write(new byte[] {(byte) next}, 0, 1);
            }

            @Override
            public void write(byte[] source, int offset, int length) throws IOException {
                var left = ByteBuffer.wrap(source, offset, length);
                while (left.hasRemaining()) {
                    channel.write(left);
                }
            }
        };
    }
}
