package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * A client that loads one server beside the measured ones until it is closed: at a fixed rate, with a fixed number of
 * calls, without reading responses, or not at all.
 */
final class BackgroundClient implements Closeable {
    /** Calls per second at the fixed rate. */
    static final int RATE = 100;

    /** The number of concurrent calls if a new one follows each that ends. */
    static final int CALLS = 32;

    /** Less in total than the queue limit of a client, which would end its connection. */
    private static final int UNREAD_CALLS = 200;

    private static final int UNREAD_TEXT = 32 << 10;

    private static final int ROOM = 64 << 10;
    private static final long BETWEEN_NANOS = 1_000_000_000L / RATE;
    private static final long PAUSE_NANOS = 1_000_000;

    private final SocketChannel channel;
    private final String line;
    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder ended = new LongAdder();
    private long sent;

    private BackgroundClient(SocketChannel channel, String line) {
        this.channel = channel;
        this.line = line;
    }

    /** Makes no calls. */
    static BackgroundClient silent(Path socket) throws IOException {
        return connected(socket, "nothing", Payload.TEXT);
    }

    /** Calls at a fixed rate, independent of earlier calls: the same load whether they hang or are rejected. */
    static BackgroundClient paced(Path socket, String tool) throws IOException {
        var client = connected(socket, tool, Payload.TEXT);
        client.background(client::drain);
        client.background(client::pace);
        return client;
    }

    /**
     * Keeps a fixed number of calls in flight and starts a new one a millisecond after each that ends, which is many
     * times the load once they are rejected immediately.
     */
    static BackgroundClient comingBack(Path socket, String tool) throws IOException {
        var client = connected(socket, tool, Payload.TEXT);
        client.background(client::comeBack);
        return client;
    }

    /** Makes calls and never reads the responses, so that most of them are queued in the daemon. */
    static BackgroundClient stuck(Path socket, String tool) throws IOException {
        var client = connected(socket, tool, "x".repeat(UNREAD_TEXT));
        for (int i = 0; i < UNREAD_CALLS; i++) {
            client.call();
        }
        // The server answers in order: after this response, those of the stuck client are queued in the daemon.
        try (var behind = RawSocket.calling(socket, tool)) {
            behind.call();
        }
        return client;
    }

    /** The number of ended calls. */
    long ended() {
        return ended.sum();
    }

    @Override
    public void close() throws IOException {
        channel.close();
        try {
            for (var thread : threads) {
                thread.join(1_000);
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private static BackgroundClient connected(Path socket, String tool, String text) throws IOException {
        var channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        var client = new BackgroundClient(channel, Payload.call(tool, text));
        Payload.write(client.channel, Payload.INITIALIZE);
        Payload.write(client.channel, Payload.INITIALIZED);
        return client;
    }

    private void pace() throws IOException {
        for (var next = System.nanoTime(); channel.isOpen(); next += BETWEEN_NANOS) {
            LockSupport.parkNanos(next - System.nanoTime());
            call();
        }
    }

    private void drain() throws IOException {
        var bytes = ByteBuffer.allocate(ROOM);
        // The first line is the response to the handshake.
        for (long count = lines(bytes) - 1; count >= 0; count = lines(bytes)) {
            ended.add(count);
        }
    }

    private void comeBack() throws IOException {
        var bytes = ByteBuffer.allocate(ROOM);
        for (int i = 0; i < CALLS; i++) {
            call();
        }
        for (long count = lines(bytes) - 1; count >= 0; count = lines(bytes)) {
            ended.add(count);
            for (long i = 0; i < count; i++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                call();
            }
        }
    }

    /** Reads the available bytes; returns the number of complete lines, or a negative number at the end. */
    private long lines(ByteBuffer bytes) throws IOException {
        bytes.clear();
        if (channel.read(bytes) < 0) {
            return -2;
        }
        return UTF_8.decode(bytes.flip()).chars().filter(c -> c == '\n').count();
    }

    private void call() throws IOException {
        Payload.write(channel, line.replaceFirst("\"id\":[^,]+", "\"id\":" + (1_000 + sent++)));
    }

    private interface Work {
        void run() throws IOException;
    }

    private void background(Work work) {
        var thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // The round has ended.
            }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }
}
