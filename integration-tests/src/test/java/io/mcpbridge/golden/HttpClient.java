package io.mcpbridge.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.mcpbridge.testkit.Eventually;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** A client of the daemon's HTTP listener, with a connection for each request. */
final class HttpClient implements Closeable {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final String META = "io.modelcontextprotocol/";

    private final Bench bench;
    private final String section;
    private final int port;
    private final String token;
    private final List<Exchange> exchanges = new ArrayList<>();
    private String session = "";

    HttpClient(Bench bench, String name, int port, String token) {
        this.bench = bench;
        this.section = "client " + name + " over http";
        this.port = port;
        this.token = token;
    }

    /** Opens a session of the legacy era. */
    HttpClient initialize(String capabilities) throws IOException {
        var params =
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":%s,\"clientInfo\":{\"name\":\"golden\",\"version\":\"1\"}}";
        var opening = post("", Json.request("0", "initialize", params.formatted(capabilities)));
        opening.body();
        session = "Mcp-Session-Id: " + HttpText.header(opening.head, "mcp-session-id")
                + "\nMCP-Protocol-Version: 2025-11-25\n";
        post(session, Json.notification("notifications/initialized", "")).body();
        return this;
    }

    /** Sends a message within the session. */
    Exchange legacy(String json) throws IOException {
        return post(session, json);
    }

    /** Calls a tool within the session. */
    Exchange call(String id, String tool, String more) throws IOException {
        return legacy(Json.request(
                id, "tools/call", "{\"name\":\"%s\",\"arguments\":{\"text\":\"hi\"}%s}".formatted(tool, more)));
    }

    /** Ends the session. */
    void end() throws IOException {
        send("DELETE", session, "").body();
    }

    /**
     * Sends a request of the modern era.
     *
     * @param name for the header, or the empty string
     * @param members of the params, each followed by a comma
     * @param meta members of {@code _meta}, each after a comma
     */
    Exchange modern(String id, String method, String name, String members, String meta) throws IOException {
        return modern(id, method, name, members, "{}", meta);
    }

    Exchange modern(String id, String method, String name, String members, String capabilities, String meta)
            throws IOException {
        var headers = "MCP-Protocol-Version: 2026-07-28\nMcp-Method: " + method + "\n"
                + (name.isEmpty() ? "" : "Mcp-Name: " + name + "\n");
        return post(headers, Json.request(id, method, modernParams(members, capabilities, meta)));
    }

    static String modernParams(String members, String capabilities, String meta) {
        return "{%s\"_meta\":{\"%sprotocolVersion\":\"2026-07-28\",\"%sclientInfo\":{\"name\":\"golden\",\"version\":\"1\"},\"%sclientCapabilities\":%s%s}}"
                .formatted(members, META, META, META, capabilities, meta);
    }

    /** Calls a tool as clients of the modern era do. */
    Exchange modernCall(String id, String tool, String meta) throws IOException {
        return modern(id, "tools/call", tool, "\"name\":\"%s\",\"arguments\":{\"text\":\"hi\"},".formatted(tool), meta);
    }

    /** Posts with these headers, each followed by a line end. */
    Exchange post(String headers, String json) throws IOException {
        return send(
                "POST",
                headers + "Accept: application/json, text/event-stream\nContent-Type: application/json\n",
                json);
    }

    private Exchange send(String verb, String headers, String body) throws IOException {
        var authorization = token.isEmpty() ? "" : "Authorization: Bearer " + token + "\n";
        var head = "%s /mcp HTTP/1.1\nHost: 127.0.0.1:%d\n%s%sConnection: close\n%s"
                .formatted(
                        verb,
                        port,
                        authorization,
                        headers,
                        body.isEmpty() ? "" : "Content-Length: " + body.getBytes(UTF_8).length + "\n");
        var entry = bench.transcript().entry(section);
        entry.said("client", head + (body.isEmpty() ? "" : "\n" + body));
        var exchange = new Exchange(entry, new Socket(InetAddress.getLoopbackAddress(), port));
        exchanges.add(exchange);
        bench.mask(exchange.socket.getLocalPort());
        exchange.socket.getOutputStream().write(((head + "\n").replace("\n", "\r\n") + body).getBytes(UTF_8));
        return exchange;
    }

    /** Records what is left of streams that are open still, once the bridge has ended. */
    @Override
    public void close() throws IOException {
        for (var exchange : exchanges) {
            exchange.finish();
        }
    }

    /** One request and its response. */
    final class Exchange {
        private final Transcript.Entry entry;
        private final Socket socket;
        private final InputStream in;
        private String head = "";
        private String events = "";
        private boolean isOver;

        Exchange(Transcript.Entry entry, Socket socket) throws IOException {
            this.entry = entry;
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream());
            socket.setSoTimeout(TIMEOUT_MILLIS);
        }

        private void readHead() throws IOException {
            if (head.isEmpty()) {
                Eventually.holds(() -> "a response for %s; %s".formatted(section, bench.report()), () -> {
                    bench.runDue();
                    return hasBytes();
                });
                head = HttpText.head(in);
            }
        }

        private boolean hasBytes() {
            try {
                return in.available() > 0;
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        private boolean isStream() {
            return HttpText.header(head, "content-type").equals("text/event-stream");
        }

        /** Waits for the whole response, or the rest of it. */
        JsonNode body() throws IOException {
            try {
                return readBody();
            } catch (SocketTimeoutException silent) {
                throw new AssertionError("nothing for %s; %s".formatted(section, bench.report()), silent);
            }
        }

        private JsonNode readBody() throws IOException {
            readHead();
            if (isStream()) {
                var last = readEvent();
                for (var next = last; !isOver; next = readEvent()) {
                    last = next.isMissingNode() ? last : next;
                }
                return last;
            }
            var body = HttpText.body(in, head);
            entry.said(Transcript.BRIDGE, head + (body.isEmpty() ? "" : "\n" + body));
            finishQuietly();
            return body.isEmpty() ? Json.parse("{}") : Json.parse(body);
        }

        /** Waits for the next event of a stream, or for its end. */
        JsonNode event() throws IOException {
            try {
                return readEvent();
            } catch (SocketTimeoutException silent) {
                throw new AssertionError("nothing for %s; %s".formatted(section, bench.report()), silent);
            }
        }

        private JsonNode readEvent() throws IOException {
            if (head.isEmpty()) {
                readHead();
                entry.said(Transcript.BRIDGE, head);
            }
            while (!events.contains("\n\n")) {
                var chunk = HttpText.chunk(in);
                if (chunk.isEmpty()) {
                    finishQuietly();
                    entry.said(Transcript.BRIDGE, "(ends the stream)");
                    return Json.parse("{}").path("end");
                }
                events += chunk;
            }
            var end = events.indexOf("\n\n");
            var event = events.substring(0, end);
            events = events.substring(end + 2);
            entry.said(Transcript.BRIDGE, event);
            return event.lines()
                    .filter(line -> line.startsWith("data: {"))
                    .map(line -> Json.parse(line.substring("data: ".length())))
                    .findFirst()
                    .orElse(Json.parse("{}"));
        }

        /** Leaves before the answer is there. */
        void hangUp() throws IOException {
            entry.said("client", "(closes the connection)");
            finishQuietly();
        }

        private void finish() throws IOException {
            while (!isOver) {
                body();
            }
        }

        private void finishQuietly() throws IOException {
            isOver = true;
            socket.close();
        }
    }
}
