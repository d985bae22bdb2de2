package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that keeps as many calls under way as it may and makes a new one for each that ends, until it is closed. It
 * waits a millisecond before that, so that calls that are refused at once do not make it a load of another kind.
 */
final class HammeringClient implements Closeable {
    static final int CALLS = 32;
    private static final int ROOM = 64 << 10;
    private static final long PAUSE_NANOS = 1_000_000;

    private final SocketChannel channel;
    private final String line;
    private final Thread thread = new Thread(this::hammer, "hammering");

    private final LongAdder ended = new LongAdder();
    private long sent;

    private HammeringClient(SocketChannel channel, String tool) {
        this.channel = channel;
        this.line = Payload.call(tool, Payload.TEXT);
    }

    /** Connects and begins. */
    static HammeringClient at(Path socket, String tool) throws IOException {
        var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        var client = new HammeringClient(channel, tool);
        client.send(Payload.INITIALIZE);
        client.send(Payload.INITIALIZED);
        client.thread.setDaemon(true);
        client.thread.start();
        return client;
    }

    /** How many calls have ended; none with an answer, where the server hangs. */
    long ended() {
        return ended.sum();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        try {
            thread.join(1_000);
        } catch (InterruptedException told) {
            Thread.currentThread().interrupt();
        }
    }

    private void hammer() {
        var bytes = ByteBuffer.allocate(ROOM);
        try {
            for (int i = 0; i < CALLS; i++) {
                call();
            }
            // The first line answers the handshake.
            for (long heard = lines(bytes) - 1; heard >= 0; heard = lines(bytes)) {
                ended.add(heard);
                for (long i = 0; i < heard; i++) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                    call();
                }
            }
        } catch (IOException closed) {
            // The round is over.
        }
    }

    /** Reads what there is; returns how many lines ended in it, or less than none at the end. */
    private long lines(ByteBuffer bytes) throws IOException {
        bytes.clear();
        if (channel.read(bytes) < 0) {
            return -2;
        }
        return UTF_8.decode(bytes.flip()).chars().filter(c -> c == '\n').count();
    }

    private void call() throws IOException {
        send(line.replaceFirst("\"id\":[^,]+", "\"id\":" + (1_000 + sent++)));
    }

    private void send(String text) throws IOException {
        var bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }
}
