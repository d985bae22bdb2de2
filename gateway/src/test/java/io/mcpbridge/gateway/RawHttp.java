package io.mcpbridge.gateway;

import io.mcpbridge.testkit.Eventually;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** One HTTP request and its response as text; closing it closes the connection. */
final class RawHttp implements Closeable {
    private static final String KEY = "io.modelcontextprotocol/";

    private final Socket socket;
    private volatile String received = "";
    private volatile boolean isOver;

    private RawHttp(URI address, String request) throws IOException {
        socket = new Socket(address.getHost(), address.getPort());
        socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
        var thread = new Thread(this::read, "test-raw-http");
        thread.setDaemon(true);
        thread.start();
    }

    /** Sends a request without a body; {@code headers} are lines that end with CRLF. */
    static RawHttp send(URI address, String verb, String headers) throws IOException {
        return new RawHttp(address, head(address, verb) + headers + "\r\n");
    }

    /** Posts a body; {@code headers} are lines that end with CRLF. */
    static RawHttp post(URI address, String headers, String body) throws IOException {
        var length = "Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n";
        return new RawHttp(
                address,
                head(address, "POST") + "Content-Type: application/json\r\n" + headers + length + "\r\n" + body);
    }

    /** Posts a request of the modern era with its headers. */
    static RawHttp modern(URI address, String method, String name, String params) throws IOException {
        var headers = headers(method) + (name.isEmpty() ? "" : "Mcp-Name: " + name + "\r\n");
        return post(address, headers, body(method, params));
    }

    static String headers(String method) {
        return "MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: " + method + "\r\n";
    }

    /** @param params members of {@code params} and then a comma, or nothing */
    static String body(String method, String params) {
        return ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s\"_meta\":{\"%sprotocolVersion\":\"2026-07-28\","
                        + "\"%sclientCapabilities\":{},\"progressToken\":\"p\"}}}")
                .formatted(method, params, KEY, KEY);
    }

    private static String head(URI address, String verb) {
        return "%s %s HTTP/1.1\r\nHost: %s\r\nAccept: application/json, text/event-stream\r\nConnection: close\r\n"
                .formatted(verb, address.getPath(), address.getAuthority());
    }

    /** The port from which the request was sent. */
    int localPort() {
        return socket.getLocalPort();
    }

    /** Waits for this text; returns all text received so far. */
    String await(String text) {
        Eventually.holds(() -> "'" + text + "' to come; received " + received, () -> received.contains(text));
        return received;
    }

    /** Waits for the end of the connection; returns all received text. */
    String all() {
        Eventually.holds(() -> "the end of the response; received " + received, () -> isOver);
        return received;
    }

    private void read() {
        try (Reader in = new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8)) {
            var some = new char[4096];
            var all = new StringBuilder();
            for (var count = in.read(some); count >= 0; count = in.read(some)) {
                received = all.append(some, 0, count).toString();
            }
        } catch (IOException closed) {
            // We or the daemon ended it.
        }
        isOver = true;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
