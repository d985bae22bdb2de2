package io.mcpbridge.transport.unix;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A server for one client that sends what the test says. */
final class LineServer implements AutoCloseable {
    private final Path folder = Files.createTempDirectory("lines");
    private final Path path = folder.resolve("lines.sock");
    private final ServerSocketChannel server =
            ServerSocketChannel.open(StandardProtocolFamily.UNIX).bind(UnixDomainSocketAddress.of(path));
    private @Nullable SocketChannel client;

    LineServer() throws IOException {}

    Path path() {
        return path;
    }

    void say(String line) throws IOException {
        var known = client == null ? server.accept() : client;
        client = known;
        known.write(ByteBuffer.wrap((line + "\n").getBytes(UTF_8)));
    }

    @Override
    public void close() throws IOException {
        server.close();
        if (client != null) {
            client.close();
        }
        Files.deleteIfExists(path);
        Files.deleteIfExists(folder);
    }
}
