package io.mcpbridge.testkit.faulty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A proxy for a server on TCP or a Unix socket that applies a {@link Toxic} to connections. Its creator closes it, with
 * all its connections; any thread may use it.
 *
 * <p>A toxic applies always, once, or only after a client has sent a certain text, so that the handshake can pass. It
 * applies to open connections as well as to new ones.
 */
public final class FaultProxy implements AutoCloseable {
    private static final Plan NONE = new Plan(new Toxic.Pass(), "", false);

    private final SocketAddress server;
    private final String path;
    private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger troubles = new AtomicInteger();
    private final SocketAddress address;
    private volatile ConnectionAcceptor listener;
    private volatile Plan plan = NONE;
    private boolean isRefusing;

    /** A toxic, the text in a client's bytes that triggers it, and whether it applies to one connection only. */
    private record Plan(Toxic toxic, String trigger, boolean isOnce) {}

    private FaultProxy(SocketAddress from, SocketAddress server, String path) {
        this.server = server;
        this.path = path;
        this.listener = ConnectionAcceptor.at(from, this::serve);
        this.address = listener.address();
    }

    /** Creates a proxy for a server on TCP, at a loopback port that the system chooses. */
    public static FaultProxy before(URI server) {
        var from = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new FaultProxy(from, new InetSocketAddress(server.getHost(), server.getPort()), server.getPath());
    }

    /** Creates a proxy for a server at a Unix socket, at another socket that the proxy creates and removes. */
    public static FaultProxy before(Path server, Path socket) {
        return new FaultProxy(UnixDomainSocketAddress.of(socket), UnixDomainSocketAddress.of(server), "");
    }

    /** The address for clients. */
    public URI uri() {
        return ConnectionAcceptor.uri(address, path);
    }

    /** Passes all bytes from now on. A connection to which a toxic already applies stays affected. */
    public void pass() {
        follow(NONE);
    }

    /** Applies a toxic from now on. */
    public void always(Toxic toxic) {
        follow(new Plan(toxic, "", false));
    }

    /** Applies a toxic from now on to connections whose client sends this text. */
    public void when(String trigger, Toxic toxic) {
        follow(new Plan(toxic, trigger, false));
    }

    /** Applies a toxic to the first connection whose client sends this text, and to no other. */
    public void once(String trigger, Toxic toxic) {
        follow(new Plan(toxic, trigger, true));
    }

    private synchronized void follow(Plan next) {
        plan = next;
        if (next.toxic() instanceof Toxic.Refuse) {
            listener.stopAccepting();
            isRefusing = true;
        } else if (isRefusing) {
            listener = ConnectionAcceptor.at(address, this::serve);
            isRefusing = false;
        }
    }

    /** Resets every open connection. */
    public void resetAll() {
        open.forEach(ProxiedConnection::reset);
    }

    /** The number of accepted connections. */
    public int connections() {
        return connections.get();
    }

    /** The number of connections to which a toxic was applied. */
    public int troubles() {
        return troubles.get();
    }

    private void serve(SocketChannel client) throws IOException {
        connections.incrementAndGet();
        try (var behind = SocketChannel.open(server)) {
            new ProxiedConnection(client, behind).run();
        }
    }

    /** Records that a toxic applies to a connection; false if it was for one connection and has already applied. */
    private synchronized boolean tryApply(Plan which) {
        if (which.isOnce() && !plan.equals(which)) {
            return false;
        }
        if (which.isOnce()) {
            plan = NONE;
        }
        troubles.incrementAndGet();
        return true;
    }

    @Override
    public void close() {
        listener.stopAccepting();
        resetAll();
        listener.close();
        if (address instanceof UnixDomainSocketAddress unix) {
            try {
                Files.deleteIfExists(unix.getPath());
            } catch (IOException leftBehind) {
                throw new UncheckedIOException(leftBehind);
            }
        }
    }

    /** A connection through the proxy, with a thread for each direction. */
    private final class ProxiedConnection {
        private static final int CHUNK = 1 << 16;
        /** How many earlier characters are kept, since the text may arrive in pieces. */
        private static final int MEMORY = 4_096;

        private final SocketChannel client;
        private final SocketChannel behind;
        private final AtomicLong passed = new AtomicLong();
        private String received = "";
        private volatile Plan active = NONE;

        private ProxiedConnection(SocketChannel client, SocketChannel behind) {
            this.client = client;
            this.behind = behind;
        }

        /** Forwards bytes until both directions have ended. */
        private void run() {
            open.add(this);
            try {
                var down =
                        ConnectionAcceptor.thread("fault-proxy-down", () -> pump(behind, client, this::towardsClient));
                pump(client, behind, this::towardsServer);
                down.join();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            } finally {
                open.remove(this);
            }
        }

        /** Closes both sides, the client's with a reset. */
        private void reset() {
            try {
                if (address instanceof InetSocketAddress) {
                    client.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
            } catch (IOException closed) {
                // Closed already, so no reset is needed.
            }
            end();
        }

        private void end() {
            ConnectionAcceptor.quietly(client);
            ConnectionAcceptor.quietly(behind);
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
            applyIfTriggered(bytes);
            var toxic = active.toxic();
            if (toxic instanceof Toxic.ResetBefore || toxic instanceof Toxic.Refuse) {
                reset();
            } else if (!(toxic instanceof Toxic.HalfOpen) && !isSwallowing(toxic)) {
                write(behind, bytes);
            }
        }

        private boolean isSwallowing(Toxic toxic) {
            return toxic instanceof Toxic.Blackhole hole && passed.get() >= hole.bytes() && passed.get() > 0;
        }

        private void towardsClient(ByteBuffer bytes) throws IOException, InterruptedException {
            var toxic = active.toxic();
            if (toxic instanceof Toxic.ResetAfter) {
                reset();
            } else if (toxic instanceof Toxic.Blackhole hole) {
                passAtMost(bytes, hole.bytes());
            } else if (toxic instanceof Toxic.Cut cut) {
                passAtMost(bytes, cut.bytes());
                if (passed.get() >= cut.bytes()) {
                    reset();
                }
            } else if (toxic instanceof Toxic.Dribble dribble) {
                dribble(bytes, dribble);
            } else if (!(toxic instanceof Toxic.HalfOpen)) {
                pass(bytes);
            }
        }

        private void passAtMost(ByteBuffer bytes, int most) throws IOException {
            var left = (int) Math.max(0, Math.min(bytes.remaining(), most - passed.get()));
            pass(bytes.slice(bytes.position(), left));
        }

        private void dribble(ByteBuffer bytes, Toxic.Dribble dribble) throws IOException, InterruptedException {
            while (bytes.hasRemaining() && client.isOpen()) {
                TimeUnit.NANOSECONDS.sleep(dribble.interval().toNanos());
                var piece = Math.min(bytes.remaining(), dribble.bytes());
                pass(bytes.slice(bytes.position(), piece));
                bytes.position(bytes.position() + piece);
            }
        }

        private void pass(ByteBuffer bytes) throws IOException {
            passed.addAndGet(bytes.remaining());
            write(client, bytes);
        }

        private static void write(SocketChannel to, ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                to.write(bytes);
            }
        }

        /** Applies the current toxic if these bytes of the client trigger it. */
        private void applyIfTriggered(ByteBuffer bytes) {
            var due = plan;
            if (due.equals(active) || due.toxic() instanceof Toxic.Pass) {
                return;
            }
            received += ISO_8859_1.decode(bytes.duplicate());
            if (received.contains(due.trigger()) && tryApply(due)) {
                active = due;
                passed.set(0);
            }
            received = received.substring(Math.max(0, received.length() - MEMORY));
        }
    }
}
