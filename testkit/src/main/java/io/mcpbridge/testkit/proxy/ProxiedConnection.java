package io.mcpbridge.testkit.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.mcpbridge.testkit.proxy.Trouble.Blackhole;
import io.mcpbridge.testkit.proxy.Trouble.Cut;
import io.mcpbridge.testkit.proxy.Trouble.Dribble;
import io.mcpbridge.testkit.proxy.Trouble.HalfOpen;
import io.mcpbridge.testkit.proxy.Trouble.Pass;
import io.mcpbridge.testkit.proxy.Trouble.Refuse;
import io.mcpbridge.testkit.proxy.Trouble.ResetAfter;
import io.mcpbridge.testkit.proxy.Trouble.ResetBefore;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** One connection through the proxy: a thread for each direction. */
final class ProxiedConnection {
    private static final int CHUNK = 1 << 16;
    /** Words may come in pieces; no more than this is remembered of what came before. */
    private static final int MEMORY = 4_096;

    private final FaultProxy proxy;
    private final SocketChannel client;
    private final SocketChannel server;
    private String said = "";
    private volatile FaultProxy.@Nullable Plan begun;
    private final AtomicLong passed = new AtomicLong();

    ProxiedConnection(FaultProxy proxy, SocketChannel client, SocketChannel server) {
        this.proxy = proxy;
        this.client = client;
        this.server = server;
    }

    static Thread thread(String name, Runnable work) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    void begin() {
        thread("fault-proxy-up", () -> pump(client, server, this::towardsServer));
        thread("fault-proxy-down", () -> pump(server, client, this::towardsClient));
    }

    /** Ends both sides at once, that of the client with a reset. */
    void reset() {
        try {
            if (!(client.getLocalAddress() instanceof UnixDomainSocketAddress)) {
                client.setOption(StandardSocketOptions.SO_LINGER, 0);
            }
        } catch (IOException closed) {
            // Then it needs no reset.
        }
        end();
    }

    private void end() {
        proxy.ended(this);
        quietly(client);
        quietly(server);
    }

    private static void quietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException gone) {
            // It is to be closed, and it is of no more use.
        }
    }

    private interface Passing {
        void pass(ByteBuffer bytes) throws IOException, InterruptedException;
    }

    private void pump(SocketChannel from, SocketChannel to, Passing passing) {
        var bytes = ByteBuffer.allocate(CHUNK);
        try {
            while (from.read(bytes) >= 0) {
                passing.pass(bytes.flip());
                bytes.clear();
            }
            to.shutdownOutput();
        } catch (IOException gone) {
            end();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void towardsServer(ByteBuffer bytes) throws IOException {
        var trouble = trouble(bytes);
        if (trouble instanceof ResetBefore || trouble instanceof Refuse) {
            reset();
            return;
        }
        if (trouble instanceof HalfOpen
                || (trouble instanceof Blackhole hole && passed.get() >= hole.bytes() && passed.get() > 0)) {
            return;
        }
        proxy.passedToServer(bytes.remaining());
        write(server, bytes);
    }

    private void towardsClient(ByteBuffer bytes) throws IOException, InterruptedException {
        var trouble = current();
        if (trouble instanceof ResetAfter) {
            reset();
        } else if (trouble instanceof Blackhole hole) {
            passAtMost(bytes, hole.bytes());
        } else if (trouble instanceof Cut cut) {
            passAtMost(bytes, cut.bytes());
            if (passed.get() >= cut.bytes()) {
                reset();
            }
        } else if (trouble instanceof Dribble dribble) {
            dribble(bytes, dribble);
        } else if (!(trouble instanceof HalfOpen)) {
            pass(bytes);
        }
    }

    private void passAtMost(ByteBuffer bytes, int most) throws IOException {
        var left = (int) Math.max(0, Math.min(bytes.remaining(), most - passed.get()));
        pass(bytes.slice(bytes.position(), left));
    }

    private void dribble(ByteBuffer bytes, Dribble dribble) throws IOException, InterruptedException {
        while (bytes.hasRemaining() && client.isOpen()) {
            var hasTicked = proxy.ticks.tryAcquire(dribble.interval().toNanos(), TimeUnit.NANOSECONDS);
            assert hasTicked || dribble.interval().toNanos() > 0;
            var piece = Math.min(bytes.remaining(), dribble.bytes());
            pass(bytes.slice(bytes.position(), piece));
            bytes.position(bytes.position() + piece);
        }
    }

    private void pass(ByteBuffer bytes) throws IOException {
        var count = bytes.remaining();
        passed.addAndGet(count);
        proxy.passedToClient(count);
        write(client, bytes);
    }

    private static void write(SocketChannel to, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            to.write(bytes);
        }
    }

    /** The trouble for what the client says now, which may be what brings it about. */
    private Trouble trouble(ByteBuffer bytes) {
        var plan = proxy.plan();
        if (!plan.equals(begun) && !(plan.trouble() instanceof Pass)) {
            said += ISO_8859_1.decode(bytes.duplicate());
            if (said.contains(plan.words()) && proxy.begins(plan)) {
                begun = plan;
                passed.set(0);
            }
            said = said.substring(Math.max(0, said.length() - MEMORY));
        }
        return current();
    }

    private Trouble current() {
        var plan = begun;
        return plan == null ? new Pass() : plan.trouble();
    }
}
