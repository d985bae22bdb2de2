package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Optional;

/** One HTTP connection that is kept alive, with as little work as possible. Not thread-safe. */
final class HttpConnection implements Closeable {
    private static final byte[] LENGTH = EchoCall.bytes("\ncontent-length:");
    private static final byte[] CHUNKED = EchoCall.bytes("\ntransfer-encoding: chunked");
    private static final int FIRST_DIGIT_OF_STATUS = 9;

    /** Servers close connections that are silent for longer, 5 s in Node.js. */
    private static final long SILENT_NANOS = 2_000_000_000;

    private final int port;
    private SocketChannel channel;
    private long lastUsed = System.nanoTime();
    private final ByteBuffer read = ByteBuffer.allocate(64 << 10).limit(0);
    private byte[] head = new byte[8 << 10];
    private int headLength;
    private byte[] body = new byte[64 << 10];
    private int bodyLength;

    /** More of an answer than has arrived is needed. */
    private static final class Incomplete extends IOException {
        private static final long serialVersionUID = 1;

        @Override
        public synchronized Throwable fillInStackTrace() {
            return this;
        }
    }

    HttpConnection(int port) throws IOException {
        this.port = port;
        this.channel = connect(port);
    }

    private static SocketChannel connect(int port) throws IOException {
        var channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        return channel;
    }

    /** Connects again after a silence. */
    void refresh() throws IOException {
        if (System.nanoTime() - lastUsed > SILENT_NANOS) {
            reconnect();
        }
    }

    void reconnect() throws IOException {
        channel.close();
        read.limit(0);
        channel = connect(port);
    }

    SocketChannel channel() {
        return channel;
    }

    void send(ByteBuffer request) throws IOException {
        read.position(0).limit(0);
        Payload.write(channel, request);
    }

    /** Reads what has arrived, anew from the start of the answer; returns true with the whole one. */
    boolean receiveAnswer() throws IOException {
        read.position(0);
        try {
            readAnswer();
            return true;
        } catch (Incomplete rest) {
            return false;
        }
    }

    /** Reads an answer with its body; fails if it reports an error. */
    void readAnswer() throws IOException {
        lastUsed = System.nanoTime();
        readHead();
        bodyLength = 0;
        var digits = find(LENGTH);
        if (find(CHUNKED) >= 0) {
            while (readChunk()) {
                // The last chunk is empty.
            }
        } else if (digits >= 0) {
            take(Integer.parseInt(line(digits)));
        }
        requireSuccess();
    }

    /** Fails if the last answer reports an error. */
    void requireSuccess() throws IOException {
        if (head[FIRST_DIGIT_OF_STATUS] != '2') {
            throw new IOException("the answer is " + new String(head, 0, headLength, ISO_8859_1) + text());
        }
    }

    /** Reads a head. */
    void readHead() throws IOException {
        headLength = 0;
        while (headLength < 4 || head[headLength - 1] != '\n' || head[headLength - 3] != '\n') {
            head[headLength++] = next();
        }
    }

    /** Reads a chunk behind those before; returns false after the last. */
    boolean readChunk() throws IOException {
        int size = 0;
        for (var digit = next(); digit != '\r'; digit = next()) {
            size = 16 * size + Character.digit(digit, 16);
        }
        skip(1);
        take(size);
        skip(2);
        return size > 0;
    }

    /** Forgets the chunks that were read. */
    void clearBody() {
        bodyLength = 0;
    }

    byte[] body() {
        return body;
    }

    int bodyLength() {
        return bodyLength;
    }

    String text() {
        return new String(body, 0, bodyLength, ISO_8859_1);
    }

    /** The value of a header of the last answer; the name is in lower case. */
    Optional<String> header(String name) {
        var at = find(EchoCall.bytes("\n" + name + ":"));
        return at < 0 ? Optional.empty() : Optional.of(line(at));
    }

    /** The rest of a line of the head. */
    private String line(int from) {
        int end = from;
        while (head[end] != '\r') {
            end++;
        }
        return new String(head, from, end - from, ISO_8859_1).strip();
    }

    /** The place behind a lower-case text in the head, or a negative number. */
    private int find(byte[] wanted) {
        for (int i = 0; i + wanted.length <= headLength; i++) {
            int n = 0;
            // Sets the bit of lower case, which digits and the marks of headers have too.
            while (n < wanted.length && (head[i + n] == wanted[n] || (head[i + n] | ' ') == wanted[n])) {
                n++;
            }
            if (n == wanted.length) {
                return i + n;
            }
        }
        return -1;
    }

    private void take(int count) throws IOException {
        if (bodyLength + count > body.length) {
            body = Arrays.copyOf(body, 2 * (bodyLength + count));
        }
        for (int left = count; left > 0; ) {
            fill();
            int some = Math.min(left, read.remaining());
            read.get(body, bodyLength, some);
            bodyLength += some;
            left -= some;
        }
    }

    private void skip(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            var unused = next();
        }
    }

    private byte next() throws IOException {
        fill();
        return read.get();
    }

    private void fill() throws IOException {
        if (!read.hasRemaining()) {
            if (read.limit() == read.capacity()) {
                read.position(0).limit(0);
            }
            int from = read.limit();
            int count = channel.read(read.limit(read.capacity()));
            read.limit(from + Math.max(count, 0)).position(from);
            if (count < 0) {
                throw new EOFException("the peer ended the connection");
            }
            if (count == 0) {
                throw new Incomplete();
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
