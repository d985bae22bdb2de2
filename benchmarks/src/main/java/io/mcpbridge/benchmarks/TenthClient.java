package io.mcpbridge.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** A client that calls one server in the background until it is closed, in one of two ways, or not at all. */
final class TenthClient implements Closeable {
    /** How many calls a second begin, where they come at a fixed rate. */
    static final int RATE = 100;

    /** How many calls are under way at once, where a new one follows each that ends. */
    static final int CALLS = 32;

    private static final int ROOM = 64 << 10;
    private static final long BETWEEN_NANOS = 1_000_000_000L / RATE;
    private static final long PAUSE_NANOS = 1_000_000;

    private final SocketChannel channel;
    private final String line;
    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder ended = new LongAdder();
    private long sent;

    private TenthClient(SocketChannel channel, String tool) {
        this.channel = channel;
        this.line = Payload.call(tool, Payload.TEXT);
    }

    /** Is there and calls nothing. */
    static TenthClient silent(Path socket) throws IOException {
        return connected(socket, "nothing");
    }

    /** Calls at a fixed rate, whatever becomes of the calls before: the same load whether they hang or are refused. */
    static TenthClient paced(Path socket, String tool) throws IOException {
        var client = connected(socket, tool);
        client.background(client::drain);
        client.background(client::pace);
        return client;
    }

    /**
     * Keeps calls under way and makes a new one a millisecond after each that ends, which is many times the load once they
     * are refused at once.
     */
    static TenthClient comingBack(Path socket, String tool) throws IOException {
        var client = connected(socket, tool);
        client.background(client::comeBack);
        return client;
    }

    /** How many calls have ended. */
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
        } catch (InterruptedException told) {
            Thread.currentThread().interrupt();
        }
    }

    private static TenthClient connected(Path socket, String tool) throws IOException {
        var channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        channel.connect(UnixDomainSocketAddress.of(socket));
        var client = new TenthClient(channel, tool);
        client.send(Payload.INITIALIZE);
        client.send(Payload.INITIALIZED);
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
        // The first line answers the handshake.
        for (long heard = lines(bytes) - 1; heard >= 0; heard = lines(bytes)) {
            ended.add(heard);
        }
    }

    private void comeBack() throws IOException {
        var bytes = ByteBuffer.allocate(ROOM);
        for (int i = 0; i < CALLS; i++) {
            call();
        }
        for (long heard = lines(bytes) - 1; heard >= 0; heard = lines(bytes)) {
            ended.add(heard);
            for (long i = 0; i < heard; i++) {
                LockSupport.parkNanos(PAUSE_NANOS);
                call();
            }
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

    private interface Work {
        void run() throws IOException;
    }

    private void background(Work work) {
        var thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException closed) {
                // The round is over.
            }
        });
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
    }
}
