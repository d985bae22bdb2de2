package io.mcpbridge.transport.unix;

import io.mcpbridge.testkit.EchoScript;
import io.mcpbridge.testkit.StreamPeer;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Plays an {@link EchoScript} on a socket of its own: blocking channels, a thread for each connection. */
final class EchoServer implements AutoCloseable {
    private final Path folder;
    private final Path path;
    private final ServerSocketChannel server;
    private final List<SocketChannel> clients = new CopyOnWriteArrayList<>();

    EchoServer() throws IOException {
        this(64);
    }

    EchoServer(int backlog) throws IOException {
        folder = Files.createTempDirectory("echo");
        path = folder.resolve("echo.sock");
        server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(path), backlog);
    }

    EchoServer start() {
        thread(this::accept);
        return this;
    }

    Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (var client : clients) {
            client.close();
        }
        Files.deleteIfExists(path);
        Files.deleteIfExists(folder);
    }

    private void accept() {
        try {
            while (true) {
                var client = server.accept();
                clients.add(client);
                thread(() -> serve(client));
            }
        } catch (IOException closed) {
            // The test has ended.
        }
    }

    private static void serve(SocketChannel client) {
        var in = Channels.newInputStream(client);
        var out = Channels.newOutputStream(client);
        new StreamPeer(in, out, () -> Closeables.closeQuietly(client)).run(new EchoScript());
        Closeables.closeQuietly(client);
    }

    private static void thread(Runnable work) {
        var thread = new Thread(work, "echo-server");
        thread.setDaemon(true);
        thread.start();
    }
}
