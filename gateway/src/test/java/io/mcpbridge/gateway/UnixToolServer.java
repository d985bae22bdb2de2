package io.mcpbridge.gateway;

import io.mcpbridge.testkit.Script;
import io.mcpbridge.testkit.StreamPeer;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** An in-process server that runs a script for every connection to a Unix socket. */
final class UnixToolServer implements Closeable {
    private final Path path;
    private final Script script;
    private final ServerSocketChannel server;
    private final List<SocketChannel> connections = new CopyOnWriteArrayList<>();

    UnixToolServer(Path path, Script script) throws IOException {
        this.path = path;
        this.script = script;
        this.server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path));
        begin(this::accept, "test-unix-server");
    }

    /** The server's section of a configuration. */
    String section() {
        return "{\"path\": \"%s\"}".formatted(path);
    }

    private void accept() {
        try {
            while (true) {
                var connection = server.accept();
                connections.add(connection);
                begin(() -> play(connection), "test-unix-connection");
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private void play(SocketChannel connection) {
        var peer = new StreamPeer(
                Channels.newInputStream(connection), new FullWrites(connection), () -> close(connection));
        peer.run(script);
        close(connection);
        connections.remove(connection);
    }

    /** The number of connections. */
    int connections() {
        return connections.size();
    }

    /** Ends every connection, as a server that restarts does. */
    void cut() {
        connections.forEach(UnixToolServer::close);
        connections.clear();
    }

    @Override
    public void close() throws IOException {
        server.close();
        cut();
        Files.deleteIfExists(path);
    }

    private static void close(SocketChannel connection) {
        try {
            connection.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void begin(Runnable work, String name) {
        var thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }
}
