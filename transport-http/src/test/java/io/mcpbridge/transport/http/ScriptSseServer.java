package io.mcpbridge.transport.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.testkit.Script;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Plays a script over HTTP+SSE of 2024-11-05, on the JDK's server; its endpoint is what the test says. */
public final class ScriptSseServer implements AutoCloseable {
    private static final Limits GENEROUS = Limits.SERVER.withMaxBytes(64 << 20);

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Map<String, Stream> streams = new ConcurrentHashMap<>();
    private final AtomicInteger names = new AtomicInteger();
    private final List<String> heard = new CopyOnWriteArrayList<>();

    public ScriptSseServer(Script script) throws IOException {
        this(script, "/messages?sessionId=");
    }

    public ScriptSseServer(Script script, String endpoint) throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/sse", exchange -> open(endpoint, exchange));
        server.createContext("/messages", exchange -> post(script, exchange));
        server.start();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/sse");
    }

    /** Every request so far: its method and its target. */
    public List<String> heard() {
        return List.copyOf(heard);
    }

    /** Ends all streams, as a stopping server does. */
    public void cutAll() {
        streams.values().forEach(Stream::cut);
    }

    private void open(String endpoint, HttpExchange exchange) throws IOException {
        heard.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        if (!exchange.getRequestMethod().equals("GET")) {
            exchange.sendResponseHeaders(405, -1);
            exchange.close();
            return;
        }
        var name = Integer.toString(names.incrementAndGet());
        var stream = new Stream(exchange);
        streams.put(name, stream);
        exchange.getResponseHeaders().set("Content-Type", "text/event-stream");
        exchange.sendResponseHeaders(200, 0);
        stream.write("event: endpoint\ndata: " + endpoint + name + "\n\n", Integer.MAX_VALUE);
        hang();
    }

    private void post(Script script, HttpExchange exchange) throws IOException {
        heard.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
        var name = exchange.getRequestURI().getQuery().replace("sessionId=", "");
        var stream = Objects.requireNonNull(streams.get(name), "a session that was opened");
        var message = Message.scan(exchange.getRequestBody().readAllBytes(), GENEROUS);
        script.received(message, stream);
        exchange.sendResponseHeaders(202, -1);
        exchange.close();
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

    /** The stream of one session. */
    private static final class Stream implements Script.Wire {
        private final HttpExchange exchange;

        private Stream(HttpExchange exchange) {
            this.exchange = exchange;
        }

        @Override
        public void send(Message message) {
            write("event: message\ndata: " + message.json() + "\n\n", Integer.MAX_VALUE);
        }

        @Override
        public void sendInPieces(Message message, int bytes) {
            write("event: message\ndata: " + message.json() + "\n\n", bytes);
        }

        private synchronized void write(String text, int piece) {
            var bytes = text.getBytes(UTF_8);
            try {
                for (int at = 0; at < bytes.length; at += Math.min(piece, bytes.length)) {
                    exchange.getResponseBody().write(bytes, at, Math.min(piece, bytes.length - at));
                    exchange.getResponseBody().flush();
                }
            } catch (IOException gone) {
                throw new UncheckedIOException(gone);
            }
        }

        @Override
        public void cut() {
            exchange.close();
        }
    }
}
