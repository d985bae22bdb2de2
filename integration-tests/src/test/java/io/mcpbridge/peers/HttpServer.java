package io.mcpbridge.peers;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import java.net.URI;

/** A server that is reached over HTTP, by the transport of this type. */
public record HttpServer(String type, URI uri, Runnable end) implements PeerServer {

    /** The official server that shows every feature, in a process of its own. */
    static HttpServer everything() {
        var program = Program.start(NodePeers.script("everything-http.mjs"));
        var port = program.awaitError("port=");
        return new HttpServer(URI.create("http://127.0.0.1:%s/mcp".formatted(port)), program::close);
    }

    /** The same over HTTP+SSE of 2024-11-05 alone. */
    static HttpServer everythingOverSse(String type) {
        var program = Program.start(NodePeers.script("everything-http.mjs", "sse"));
        var port = program.awaitError("port=");
        return new HttpServer(type, URI.create("http://127.0.0.1:%s/sse".formatted(port)), program::close);
    }

    /** A server that is reached over Streamable HTTP. */
    public HttpServer(URI uri, Runnable end) {
        this("http", uri, end);
    }

    @Override
    public String section() {
        return "{\"type\": \"%s\", \"url\": \"%s\"}".formatted(type, uri);
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
