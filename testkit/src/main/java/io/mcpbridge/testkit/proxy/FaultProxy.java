package io.mcpbridge.testkit.proxy;

import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A proxy in front of any server on TCP or a Unix socket, which makes {@link Trouble} when the test wants it. Whoever
 * opens it closes it, with all its connections; any thread may use it.
 *
 * <p>Trouble can be had always, once, or from the moment at which a client sends certain words, so that a handshake gets
 * through. It holds for connections that are there already as well as for new ones.
 */
public final class FaultProxy implements AutoCloseable {
    private final SocketAddress server;
    private final Path socket;
    private final String path;
    private final Set<ProxiedConnection> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger troubles = new AtomicInteger();
    private final AtomicLong bytesToServer = new AtomicLong();
    private final AtomicLong bytesToClient = new AtomicLong();
    final Semaphore ticks = new Semaphore(0);
    private SocketAddress address;
    private volatile Thread accepting = Thread.currentThread();
    private volatile ServerSocketChannel listening;
    private volatile Plan plan = new Plan(new Trouble.Pass(), "", false);
    private volatile boolean isClosed;

    /** What is to happen, the words that bring it about, and whether it does so once. */
    record Plan(Trouble trouble, String words, boolean isOnce) {}

    private FaultProxy(SocketAddress address, SocketAddress server, Path socket, String path) {
        this.address = address;
        this.server = server;
        this.socket = socket;
        this.path = path;
        this.listening = listen();
        this.address = local(listening);
    }

    /** Stands before a server on TCP, at a port of loopback that the system chooses. */
    public static FaultProxy before(URI server) {
        var from = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        return new FaultProxy(
                from, new InetSocketAddress(server.getHost(), server.getPort()), Path.of(""), server.getPath());
    }

    /** Stands before a server at a Unix socket, at another socket that it makes and removes. */
    public static FaultProxy before(Path server, Path socket) {
        return new FaultProxy(UnixDomainSocketAddress.of(socket), UnixDomainSocketAddress.of(server), socket, "");
    }

    /** Where clients are to connect. */
    public URI uri() {
        return address instanceof InetSocketAddress tcp
                ? URI.create("http://127.0.0.1:" + tcp.getPort() + path)
                : URI.create("unix:" + socket);
    }

    /** Lets everything pass from now on; connections that are stuck already stay so. */
    public void pass() {
        follow(new Plan(new Trouble.Pass(), "", false));
    }

    /** Makes trouble from now on. */
    public void always(Trouble trouble) {
        follow(new Plan(trouble, "", false));
    }

    /** Makes trouble from now on on connections whose client says these words. */
    public void when(String words, Trouble trouble) {
        follow(new Plan(trouble, words, false));
    }

    /** Makes trouble on the first connection whose client says these words, and on no other. */
    public void once(String words, Trouble trouble) {
        follow(new Plan(trouble, words, true));
    }

    private synchronized void follow(Plan next) {
        plan = next;
        try {
            if (next.trouble() instanceof Trouble.Refuse) {
                listenNoMore();
            } else if (!listening.isOpen() && !isClosed) {
                listening = listen();
            }
        } catch (IOException cannotClose) {
            throw new UncheckedIOException(cannotClose);
        }
    }

    /** Lets one piece of a {@link Trouble.Dribble} pass. */
    public void tick() {
        ticks.release();
    }

    /** Resets every connection that is open now. */
    public void resetAll() {
        open.forEach(ProxiedConnection::reset);
    }

    /** How many connections were accepted. */
    public int connections() {
        return connections.get();
    }

    /** On how many connections trouble has begun. */
    public int troubles() {
        return troubles.get();
    }

    /** How many bytes of clients reached the server. */
    public long bytesToServer() {
        return bytesToServer.get();
    }

    /** How many bytes of the server reached clients. */
    public long bytesToClient() {
        return bytesToClient.get();
    }

    Plan plan() {
        return plan;
    }

    /** Trouble begins on a connection; false if another connection had the only one. */
    synchronized boolean begins(Plan which) {
        if (which.isOnce() && !plan.equals(which)) {
            return false;
        }
        if (which.isOnce()) {
            plan = new Plan(new Trouble.Pass(), "", false);
        }
        troubles.incrementAndGet();
        return true;
    }

    void passedToServer(int bytes) {
        bytesToServer.addAndGet(bytes);
    }

    void passedToClient(int bytes) {
        bytesToClient.addAndGet(bytes);
    }

    void ended(ProxiedConnection connection) {
        open.remove(connection);
    }

    private ServerSocketChannel listen() {
        try {
            var isUnix = address instanceof UnixDomainSocketAddress;
            if (isUnix) {
                Files.deleteIfExists(socket);
            }
            var channel = isUnix ? ServerSocketChannel.open(StandardProtocolFamily.UNIX) : ServerSocketChannel.open();
            if (!isUnix) {
                channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            }
            channel.bind(address, 1_024);
            accepting = ProxiedConnection.thread("fault-proxy-accept", () -> accept(channel));
            return channel;
        } catch (IOException cannotListen) {
            throw new UncheckedIOException("the proxy cannot listen at " + address, cannotListen);
        }
    }

    /** The address is free only when nobody waits at it any more. */
    private void listenNoMore() throws IOException {
        listening.close();
        Eventually.holds("the proxy to listen no more", () -> !accepting.isAlive());
    }

    private static SocketAddress local(ServerSocketChannel channel) {
        try {
            return channel.getLocalAddress();
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    private void accept(ServerSocketChannel from) {
        try {
            while (true) {
                var client = from.accept();
                connections.incrementAndGet();
                begin(client);
            }
        } catch (IOException closed) {
            // The proxy refuses connections, or has ended.
        }
    }

    private void begin(SocketChannel client) throws IOException {
        try {
            var connection = new ProxiedConnection(this, client, SocketChannel.open(server));
            open.add(connection);
            connection.begin();
            if (isClosed) {
                connection.reset();
            }
        } catch (IOException serverIsAway) {
            client.close();
        }
    }

    @Override
    public void close() {
        isClosed = true;
        try {
            listenNoMore();
            resetAll();
            if (address instanceof UnixDomainSocketAddress) {
                Files.deleteIfExists(socket);
            }
        } catch (IOException leftBehind) {
            throw new UncheckedIOException(leftBehind);
        }
    }
}
