package io.mcpbridge.benchmarks;

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
 * A client that loads one server beside the measured ones until it is closed: at a fixed rate, without reading
 * responses, or not at all.
 */
final class BackgroundClient implements Closeable {
    /** Calls per second at the fixed rate. */
    static final int RATE = 100;

    /** Less in total than the queue limit of a client, which would end its connection. */
    private static final int UNREAD_CALLS = 200;

    private static final int UNREAD_TEXT = 32 << 10;

    private static final int ROOM = 64 << 10;
    private static final long BETWEEN_NANOS = 1_000_000_000L / RATE;

    private final SocketChannel channel;
    private final EchoCall call;
    private final List<Thread> threads = new ArrayList<>();
    private final LongAdder ended = new LongAdder();

    private BackgroundClient(Path socket, EchoCall call) throws IOException {
        this.channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        this.call = call.framed("", "\n");
        Payload.write(channel, Payload.INITIALIZE + Payload.INITIALIZED);
    }

    /** Makes no calls. */
    static BackgroundClient silent(Path socket) throws IOException {
        return new BackgroundClient(socket, EchoCall.of("nothing", "text"));
    }

    /** Calls at a fixed rate, independent of earlier calls: the same load whether they hang or are rejected. */
    static BackgroundClient paced(Path socket, String tool) throws IOException {
        var client = new BackgroundClient(socket, EchoCall.of(tool, "text"));
        client.threads.add(Peer.background(client::drain));
        client.threads.add(Peer.background(client::pace));
        return client;
    }

    /** Makes calls and never reads the responses, so that most of them are queued in the daemon. */
    static BackgroundClient stuck(Path socket, String tool) throws IOException {
        var client = new BackgroundClient(socket, EchoCall.of(tool, "text", "x".repeat(UNREAD_TEXT)));
        for (int i = 0; i < UNREAD_CALLS; i++) {
            Payload.write(client.channel, client.call.next());
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

    private void pace() throws IOException {
        for (var next = System.nanoTime(); channel.isOpen(); next += BETWEEN_NANOS) {
            LockSupport.parkNanos(next - System.nanoTime());
            Payload.write(channel, call.next());
        }
    }

    private void drain() throws IOException {
        // The first line is the response to the handshake.
        ended.decrement();
        for (var bytes = ByteBuffer.allocate(ROOM); channel.read(bytes) >= 0; bytes.clear()) {
            for (bytes.flip(); bytes.hasRemaining(); ) {
                if (bytes.get() == '\n') {
                    ended.increment();
                }
            }
        }
    }
}
