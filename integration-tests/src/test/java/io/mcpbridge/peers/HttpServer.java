package io.mcpbridge.peers;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import java.net.URI;

/** A server that is reached over Streamable HTTP. */
public record HttpServer(URI uri, Runnable end) implements PeerServer {

    /** The official server that shows every feature, in a process of its own. */
    static HttpServer everything() {
        var program = Program.start(NodePeers.script("everything-http.mjs"));
        var port = program.awaitError("port=");
        return new HttpServer(URI.create("http://127.0.0.1:%s/mcp".formatted(port)), program::close);
    }

    @Override
    public String section() {
        return "{\"type\": \"http\", \"url\": \"%s\"}".formatted(uri);
    }

    @Override
    public Connection connect(ConnectionOptions options) throws InterruptedException {
        return Connection.to(uri, options);
    }

    @Override
    public void close() {
        end.run();
    }
}
