package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** Exchanges raw bytes over a Unix socket. Not thread-safe. */
final class RawSocket implements Contender {
    private static final int ROOM = 64 << 10;
    private static final byte[] RESULT = "\"result\"".getBytes(UTF_8);

    private final SocketChannel channel;
    private final byte[] line;
    private final byte[] expected;
    private final ByteBuffer answer = ByteBuffer.allocate(ROOM);

    private RawSocket(SocketChannel channel, String line, byte[] expected) {
        this.channel = channel;
        this.line = line.getBytes(UTF_8);
        this.expected = expected;
    }

    /** Sends a line to a peer that echoes it. */
    static RawSocket repeating(Path socket, String line) throws IOException {
        return new RawSocket(
                SocketChannel.open(UnixDomainSocketAddress.of(socket)),
                line,
                line.substring(0, 10).getBytes(UTF_8));
    }

    /** Calls a tool of an MCP server, always with the same id. */
    static RawSocket calling(Path socket, String tool, String text) throws IOException {
        var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        new RawSocket(channel, Payload.INITIALIZE, RESULT).call();
        Payload.write(channel, Payload.INITIALIZED);
        new RawSocket(channel, Payload.LIST, RESULT).call();
        return new RawSocket(channel, Payload.call(tool, text), RESULT);
    }

    /** Makes a client of the same connection and line that requires {@code part} in the response. */
    RawSocket expecting(String part) {
        return new RawSocket(channel, new String(line, UTF_8), part.getBytes(UTF_8));
    }

    @Override
    public void call() throws IOException {
        Payload.write(channel, ByteBuffer.wrap(line));
        answer.clear();
        do {
            if (channel.read(answer) < 0) {
                throw new EOFException("the peer ended the connection");
            }
        } while (answer.get(answer.position() - 1) != '\n');
        if (!contains(answer.flip(), expected)) {
            throw new IOException("the answer is " + UTF_8.decode(answer));
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static boolean contains(ByteBuffer bytes, byte[] wanted) {
        for (int i = 0; i + wanted.length <= bytes.limit(); i++) {
            if (bytes.slice(i, wanted.length).equals(ByteBuffer.wrap(wanted))) {
                return true;
            }
        }
        return false;
    }
}
