package io.mcpbridge.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Script;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Plays a script over Streamable HTTP, on the JDK's server: a second implementation of HTTP. */
public final class ScriptHttpServer implements AutoCloseable {
    private static final Limits GENEROUS = Limits.SERVER.withMaxBytes(64 << 20);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);

    public ScriptHttpServer(Script script) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/mcp", exchange -> serve(script, exchange));
        server.start();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/mcp");
    }

    private void serve(Script script, HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.sendResponseHeaders(405, -1);
            exchange.close();
            return;
        }
        var message = Message.scan(exchange.getRequestBody().readAllBytes(), GENEROUS);
        var wire = new Answer(exchange);
        script.received(message, wire);
        if (!(message instanceof Request)) {
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        } else if (!wire.isOver) {
            hang();
        }
    }

    private void hang() {
        try {
            closing.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }

    /** Answers with JSON what comes in one piece, and with a stream what does not. */
    private static final class Answer implements Script.Wire {
        private final HttpExchange exchange;
        private boolean isStream;
        private volatile boolean isOver;

        private Answer(HttpExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void send(Message message) {
            try {
                if (message instanceof Response && !isStream) {
                    whole(message.json().getBytes(UTF_8));
                } else {
                    event(message, Integer.MAX_VALUE);
                }
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }

        @Override
        public void sendInPieces(Message message, int bytes) {
            try {
                event(message, bytes);
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }

        private void whole(byte[] json) throws IOException {
            isOver = true;
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, json.length);
            exchange.getResponseBody().write(json);
            exchange.close();
        }

        private void event(Message message, int piece) throws IOException {
            if (!isStream) {
                isStream = true;
                exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
                exchange.sendResponseHeaders(200, 0);
            }
            var event = ("event: message\ndata: " + message.json() + "\n\n").getBytes(UTF_8);
            for (int at = 0; at < event.length; at += Math.min(piece, event.length)) {
                exchange.getResponseBody().write(event, at, Math.min(piece, event.length - at));
                exchange.getResponseBody().flush();
            }
            if (message instanceof Response) {
                isOver = true;
                exchange.close();
            }
        }

        @Override
        public void cut() {
            isOver = true;
            exchange.close();
        }
    }
}
