package io.mcpbridge.testkit.faulty;

import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Accepts connections and serves each on a thread of its own. Closing it closes all connections. Any thread may use it.
 */
final class ConnectionAcceptor implements AutoCloseable {

    /** Serves a connection. */
    interface Serving {
        void serve(SocketChannel channel) throws IOException;
    }

    private final ServerSocketChannel server;
    private final Serving serving;
    private final Set<SocketChannel> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger accepted = new AtomicInteger();
    private volatile Thread accepting = Thread.currentThread();
    private volatile boolean isClosed;

    private ConnectionAcceptor(ServerSocketChannel server, Serving serving) {
        this.server = server;
        this.serving = serving;
    }

    /** Listens at a TCP or Unix address; replaces a socket file without a listener. */
    static ConnectionAcceptor at(SocketAddress address, Serving serving) {
        try {
            var isUnix = address instanceof UnixDomainSocketAddress;
            if (isUnix) {
                Files.deleteIfExists(((UnixDomainSocketAddress) address).getPath());
            }
            var server = isUnix ? ServerSocketChannel.open(StandardProtocolFamily.UNIX) : ServerSocketChannel.open();
            if (!isUnix) {
                server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
            }
            server.bind(address, 1_024);
            var listening = new ConnectionAcceptor(server, serving);
            listening.accepting = thread("faulty-accept", listening::accept);
            return listening;
        } catch (IOException cannotListen) {
            throw new UncheckedIOException("cannot listen at " + address, cannotListen);
        }
    }

    static Thread thread(String name, Runnable work) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** The URI of an address, for clients. */
    static URI uri(SocketAddress address, String path) {
        return address instanceof InetSocketAddress tcp
                ? URI.create("http://127.0.0.1:%d%s".formatted(tcp.getPort(), path))
                : URI.create("unix:" + address);
    }

    /** The address that it is bound to. */
    SocketAddress address() {
        try {
            return server.getLocalAddress();
        } catch (IOException closed) {
            throw new UncheckedIOException(closed);
        }
    }

    /** The number of accepted connections. */
    int accepted() {
        return accepted.get();
    }

    private void accept() {
        try {
            while (true) {
                var channel = server.accept();
                accepted.incrementAndGet();
                open.add(channel);
                if (isClosed) {
                    channel.close();
                    return;
                }
                thread("faulty-connection", () -> serve(channel));
            }
        } catch (IOException closed) {
            // The server has ended.
        }
    }

    private void serve(SocketChannel channel) {
        try (channel) {
            serving.serve(channel);
        } catch (IOException | UncheckedIOException gone) {
            // The peer disconnected, or the server has ended.
        } finally {
            open.remove(channel);
        }
    }

    /** Refuses new connections; open ones remain. */
    void stopAccepting() {
        quietly(server);
        // The address is free only after the accepting thread has ended.
        Eventually.holds("the server to listen no more", () -> !accepting.isAlive());
    }

    @Override
    public void close() {
        isClosed = true;
        stopAccepting();
        open.forEach(ConnectionAcceptor::quietly);
    }

    static void quietly(AutoCloseable resource) {
        try {
            resource.close();
        } catch (Exception gone) {
            // Failing to close it does not matter.
        }
    }

    /**
     * A socket whose streams can be read and written at the same time; those of socket channels block each other in JDK
     * 17.
     */
    record Duplex(SocketChannel channel) implements ByteChannel {

        @Override
        public int read(ByteBuffer target) throws IOException {
            return channel.read(target);
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            return channel.write(source);
        }

        @Override
        public boolean isOpen() {
            return channel.isOpen();
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
