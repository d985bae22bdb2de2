package io.mcpbridge.peers;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import java.net.URI;
import java.nio.file.Path;

/** A server that is reached over a Unix socket. */
public record UnixServer(Path path, Runnable end) implements PeerServer {

    @Override
    public String section() {
        return "{\"type\": \"unix\", \"path\": \"%s\"}".formatted(path);
    }

    @Override
    public Connection connect(ConnectionOptions options) throws InterruptedException {
        return Connection.to(URI.create("unix:" + path), options);
    }

    @Override
    public void close() {
        end.run();
    }
}
