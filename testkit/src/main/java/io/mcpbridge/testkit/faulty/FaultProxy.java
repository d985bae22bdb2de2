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
 * A proxy in front of a server on TCP or a Unix socket that applies a {@link Toxic} to connections. Its creator closes it,
 * with all its connections; any thread may use it.
 *
 * <p>A toxic applies always, once, or from the moment at which a client sends certain words, so that a handshake passes. It
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
    private volatile SocketServer listening;
    private volatile Plan plan = NONE;
    private boolean isRefusing;

    /** What is to happen, the words that bring it about, and whether it does so once. */
    private record Plan(Toxic trouble, String words, boolean isOnce) {}

    private FaultProxy(SocketAddress from, SocketAddress server, String path) {
        this.server = server;
        this.path = path;
        this.listening = SocketServer.at(from, this::serve);
        this.address = listening.address();
    }

    /** A proxy in front of a server on TCP, at a port of loopback that the system chooses. */
    public static FaultProxy before(URI server) {
        var from = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new FaultProxy(from, new InetSocketAddress(server.getHost(), server.getPort()), server.getPath());
    }

    /** A proxy in front of a server at a Unix socket, at another socket that it makes and removes. */
    public static FaultProxy before(Path server, Path socket) {
        return new FaultProxy(UnixDomainSocketAddress.of(socket), UnixDomainSocketAddress.of(server), "");
    }

    /** Where clients are to connect. */
    public URI uri() {
        return SocketServer.uri(address, path);
    }

    /** Lets everything pass from now on; connections that are stuck already stay so. */
    public void pass() {
        follow(NONE);
    }

    /** Applies a toxic from now on. */
    public void always(Toxic trouble) {
        follow(new Plan(trouble, "", false));
    }

    /** Applies a toxic from now on to connections whose client sends these words. */
    public void when(String words, Toxic trouble) {
        follow(new Plan(trouble, words, false));
    }

    /** Applies a toxic to the first connection whose client sends these words, and to no other. */
    public void once(String words, Toxic trouble) {
        follow(new Plan(trouble, words, true));
    }

    private synchronized void follow(Plan next) {
        plan = next;
        if (next.trouble() instanceof Toxic.Refuse) {
            listening.stopAccepting();
            isRefusing = true;
        } else if (isRefusing) {
            listening = SocketServer.at(address, this::serve);
            isRefusing = false;
        }
    }

    /** Resets every connection that is open now. */
    public void resetAll() {
        open.forEach(ProxiedConnection::reset);
    }

    /** How many connections were accepted. */
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

    /** A toxic begins on a connection; false if another connection had the only one. */
    private synchronized boolean begins(Plan which) {
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
        listening.stopAccepting();
        resetAll();
        listening.close();
        if (address instanceof UnixDomainSocketAddress unix) {
            try {
                Files.deleteIfExists(unix.getPath());
            } catch (IOException leftBehind) {
                throw new UncheckedIOException(leftBehind);
            }
        }
    }

    /** One connection through the proxy: a thread for each direction. */
    private final class ProxiedConnection {
        private static final int CHUNK = 1 << 16;
        /** Words may come in pieces; no more than this is remembered of what came before. */
        private static final int MEMORY = 4_096;

        private final SocketChannel client;
        private final SocketChannel behind;
        private final AtomicLong passed = new AtomicLong();
        private String said = "";
        private volatile Plan begun = NONE;

        private ProxiedConnection(SocketChannel client, SocketChannel behind) {
            this.client = client;
            this.behind = behind;
        }

        /** Returns when both directions have ended. */
        private void run() {
            open.add(this);
            try {
                var down = SocketServer.thread("fault-proxy-down", () -> pump(behind, client, this::towardsClient));
                pump(client, behind, this::towardsServer);
                down.join();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            } finally {
                open.remove(this);
            }
        }

        /** Ends both sides at once, that of the client with a reset. */
        private void reset() {
            try {
                if (address instanceof InetSocketAddress) {
                    client.setOption(StandardSocketOptions.SO_LINGER, 0);
                }
            } catch (IOException closed) {
                // Then it needs no reset.
            }
            end();
        }

        private void end() {
            SocketServer.quietly(client);
            SocketServer.quietly(behind);
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
            beginWhereDue(bytes);
            var trouble = begun.trouble();
            if (trouble instanceof Toxic.ResetBefore || trouble instanceof Toxic.Refuse) {
                reset();
            } else if (!(trouble instanceof Toxic.HalfOpen) && !isSwallowing(trouble)) {
                write(behind, bytes);
            }
        }

        private boolean isSwallowing(Toxic trouble) {
            return trouble instanceof Toxic.Blackhole hole && passed.get() >= hole.bytes() && passed.get() > 0;
        }

        private void towardsClient(ByteBuffer bytes) throws IOException, InterruptedException {
            var trouble = begun.trouble();
            if (trouble instanceof Toxic.ResetAfter) {
                reset();
            } else if (trouble instanceof Toxic.Blackhole hole) {
                passAtMost(bytes, hole.bytes());
            } else if (trouble instanceof Toxic.Cut cut) {
                passAtMost(bytes, cut.bytes());
                if (passed.get() >= cut.bytes()) {
                    reset();
                }
            } else if (trouble instanceof Toxic.Dribble dribble) {
                dribble(bytes, dribble);
            } else if (!(trouble instanceof Toxic.HalfOpen)) {
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

        /** Begins the trouble that what the client says now brings about, if any. */
        private void beginWhereDue(ByteBuffer bytes) {
            var due = plan;
            if (due.equals(begun) || due.trouble() instanceof Toxic.Pass) {
                return;
            }
            said += ISO_8859_1.decode(bytes.duplicate());
            if (said.contains(due.words()) && begins(due)) {
                begun = due;
                passed.set(0);
            }
            said = said.substring(Math.max(0, said.length() - MEMORY));
        }
    }
}
