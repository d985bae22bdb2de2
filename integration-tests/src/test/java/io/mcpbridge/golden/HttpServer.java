package io.mcpbridge.golden;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.mcpbridge.testkit.Eventually;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A server over Streamable HTTP. Each method has a section of its own, and so have the stream and the end of each session,
 * since the bridge sends what does not depend on each other over connections of their own, which arrive in any order.
 */
final class HttpServer extends ScriptedPeer {
    private final ServerSocket socket;
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger streams = new AtomicInteger();
    private final AtomicInteger deletes = new AtomicInteger();

    HttpServer(Bench bench, String name, Playbook playbook) throws IOException {
        super(bench, "server " + name + " over http, ", playbook);
        socket = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        bench.mask(socket.getLocalPort());
        begin(this::accept);
    }

    @Override
    String section() {
        return "\"url\": \"http://127.0.0.1:%d/mcp\"".formatted(socket.getLocalPort());
    }

    /** Answers with another status than 200; each header ends with a line end. */
    void status(Received call, int status, String headers, String body) {
        ((Exchange) call.way()).respond(status, headers, body);
    }

    /** Waits until the bridge has closed the connection on which a request came. */
    void awaitDisconnect(Received call) {
        ((Exchange) call.way()).awaitDisconnect();
    }

    /** Waits until each session has requested its stream, which it does concurrently. */
    @Override
    void awaitStreams() {
        Eventually.holds(() -> "%s streams of %s".formatted(sessions, title), () -> {
            bench.runDue();
            return streams.get() == sessions.get();
        });
    }

    @Override
    void awaitEnd() {
        Eventually.holds(
                () -> "the end of %s sessions of %s".formatted(sessions, title),
                () -> playbook.isModern() || deletes.get() == sessions.get());
    }

    private void accept() throws IOException {
        while (true) {
            var connection = socket.accept();
            connections.add(connection);
            begin(() -> serve(connection));
        }
    }

    private void serve(Socket connection) throws IOException {
        var in = new BufferedInputStream(connection.getInputStream());
        for (var head = HttpText.head(in); !head.isEmpty(); head = HttpText.head(in)) {
            var body = HttpText.body(in, head);
            var exchange = new Exchange(connection, in, bench.transcript().entry(title + kind(head, body)));
            exchange.entry.said(Transcript.BRIDGE, head + (body.isEmpty() ? "" : "\n" + body));
            receive(head, body, exchange);
            exchange.awaitEnd();
        }
    }

    private static String kind(String head, String body) {
        var verb = head.substring(0, head.indexOf(' '));
        return verb.equals("POST")
                ? "POST of " + Json.parse(body).path("method").asText("answers")
                : verb + " of " + HttpText.header(head, "mcp-session-id");
    }

    private void receive(String head, String body, Exchange exchange) {
        if (head.startsWith("DELETE ")) {
            exchange.respond(200, "", "");
            deletes.incrementAndGet();
        } else if (!head.startsWith("POST ")) {
            exchange.respond(405, "Allow: POST\n", "");
            streams.incrementAndGet();
        } else {
            var message = Json.parse(body);
            var method = message.path("method").asText();
            if (method.equals("initialize")) {
                exchange.session = "Mcp-Session-Id: session-" + sessions.incrementAndGet() + "\n";
            } else if (playbook.isModern() && method.equals("server/discover")) {
                sessions.incrementAndGet();
            } else if (method.equals("subscriptions/listen")) {
                streams.incrementAndGet();
            }
            if (!message.has("id") || !message.has("method")) {
                exchange.respond(202, "", "");
            }
            handle(message, exchange);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
            for (var connection : connections) {
                connection.close();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private void begin(Work work) {
        var thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException | UncheckedIOException gone) {
                        // The bridge or the script ended it.
                    }
                },
                "golden-" + title);
        thread.setDaemon(true);
        thread.start();
    }

    /** One request and its response. */
    private static final class Exchange implements Received.Way {
        private final Socket connection;
        private final InputStream in;
        private final Transcript.Entry entry;
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile String session = "";
        private volatile boolean isStream;

        Exchange(Socket connection, InputStream in, Transcript.Entry entry) {
            this.connection = connection;
            this.in = in;
            this.entry = entry;
        }

        /** Begins a stream of events. */
        void open() {
            isStream = true;
            entry.said("server", "HTTP/1.1 200 OK\nContent-Type: text/event-stream\n" + session);
            writeHead("HTTP/1.1 200 OK\nContent-Type: text/event-stream\nTransfer-Encoding: chunked\n" + session, "");
        }

        @Override
        public void event(String json) {
            if (!isStream) {
                open();
            }
            entry.said("server", "data: " + json);
            var event = "data: " + json + "\r\n\r\n";
            write("%x\r\n%s\r\n".formatted(event.getBytes(UTF_8).length, event));
        }

        @Override
        public void last(String json) {
            if (isStream) {
                event(json);
                write("0\r\n\r\n");
                ended.countDown();
            } else {
                respond(200, "Content-Type: application/json\n", json);
            }
        }

        void respond(int status, String headers, String body) {
            var head = "HTTP/1.1 %d Status\n%s%sContent-Length: %d\n"
                    .formatted(status, headers, session, body.getBytes(UTF_8).length);
            entry.said("server", head + (body.isEmpty() ? "" : "\n" + body));
            writeHead(head, body);
            ended.countDown();
        }

        @Override
        public void cut() {
            entry.said("server", "(ends the connection)");
            hangUp();
        }

        private void awaitDisconnect() {
            try {
                var next = in.read();
                if (next >= 0) {
                    throw new AssertionError("the bridge sent more instead of closing the connection");
                }
            } catch (IOException reset) {
                // That is a way to close it, too.
            }
            entry.said(Transcript.BRIDGE, "(closes the connection)");
            hangUp();
        }

        private void hangUp() {
            try {
                connection.close();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            ended.countDown();
        }

        private void awaitEnd() {
            try {
                var unused = ended.await(1, TimeUnit.HOURS);
            } catch (InterruptedException over) {
                Thread.currentThread().interrupt();
            }
        }

        private void writeHead(String head, String body) {
            write((head + "\n").replace("\n", "\r\n") + body);
        }

        private void write(String text) {
            try {
                connection.getOutputStream().write(text.getBytes(UTF_8));
                connection.getOutputStream().flush();
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }
    }
}
