package io.mcpbridge.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** Calls a tool over Streamable HTTP on one connection; the answers are JSON or event streams. Not thread-safe. */
final class HttpCaller implements SocketCaller {
    private static final String HEAD = String.join(
            "\r\n",
            "POST %s HTTP/1.1",
            "Host: 127.0.0.1",
            "Content-Type: application/json",
            "Accept: application/json, text/event-stream",
            "%sContent-Length: %%d",
            "",
            "");

    private final HttpConnection connection;
    private final EchoCall call;
    private final String path;
    private final String session;

    private HttpCaller(HttpConnection connection, String path, String session, EchoCall call) {
        this.connection = connection;
        this.path = path;
        this.session = session;
        this.call = call.framed(head(path, session), "");
    }

    /** Waits only for the answer of {@code initialize}. */
    static HttpCaller open(int port, String path, EchoCall call) throws IOException {
        var connection = new HttpConnection(port);
        post(connection, path, "", Payload.INITIALIZE);
        var session = connection
                .header("mcp-session-id")
                .map("Mcp-Session-Id: %s\r\nMCP-Protocol-Version: 2025-06-18\r\n"::formatted)
                .orElse("");
        return new HttpCaller(connection, path, session, call);
    }

    /** Calls a tool of a {@link Peer}. */
    static HttpCaller calling(int port, String path, String tool) throws IOException {
        return Session.confirmed(open(port, path, EchoCall.of(tool, "text")));
    }

    /** Opens one more connection in the same session. */
    HttpCaller sameSession(int port, EchoCall other) throws IOException {
        return new HttpCaller(new HttpConnection(port), path, session, other);
    }

    /** The head of a request, in which {@code %d} is the length of the body; headers end with a line break. */
    static String head(String path, String headers) {
        return HEAD.formatted(path, headers);
    }

    /** Sends a message, {@code headers} with it, and reads the answer. */
    static void post(HttpConnection connection, String path, String headers, String json) throws IOException {
        var request = head(path, headers).formatted(json.length()) + json;
        connection.send(ByteBuffer.wrap(EchoCall.bytes(request)));
        connection.readAnswer();
    }

    @Override
    public void confirm() throws IOException {
        post(connection, path, session, Payload.INITIALIZED);
    }

    @Override
    public void prepare() throws IOException {
        connection.refresh();
    }

    @Override
    public SocketChannel channel() {
        return connection.channel();
    }

    @Override
    public void send() throws IOException {
        connection.send(call.next());
    }

    @Override
    public boolean receive() throws IOException {
        if (!connection.receiveAnswer()) {
            return false;
        }
        if (!call.isAnsweredBy(connection.body(), connection.bodyLength())) {
            throw new IOException("the answer is " + connection.text());
        }
        return true;
    }

    /** Connects again in the same session. */
    @Override
    public void reconnect() throws IOException {
        connection.reconnect();
    }

    @Override
    public void close() throws IOException {
        connection.close();
    }
}
