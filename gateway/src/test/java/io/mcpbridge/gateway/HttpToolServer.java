package io.mcpbridge.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Request;
import io.mcpbridge.testkit.Script;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An in-process HTTP server that runs a script, one response per request. */
final class HttpToolServer implements Closeable {
    private final HttpServer server;
    private final Script script;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> new Thread(work, "test-http-server"));

    HttpToolServer(Script script) throws IOException {
        this.script = script;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/mcp", this::handle);
        server.start();
    }

    /** The server's section of a configuration. */
    String section() {
        return "{\"url\": \"http://127.0.0.1:%d/mcp\"}"
                .formatted(server.getAddress().getPort());
    }

    private void handle(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.sendResponseHeaders(405, -1);
            exchange.close();
            return;
        }
        var message = Message.scan(exchange.getRequestBody().readAllBytes(), Limits.SERVER);
        script.received(message, new Answer(exchange));
        if (!(message instanceof Request)) {
            exchange.sendResponseHeaders(202, -1);
            exchange.close();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private record Answer(HttpExchange exchange) implements Script.Wire {

        @Override
        public void send(Message message) {
            var body = message.json().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            try (exchange) {
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
            } catch (IOException gone) {
                throw new java.io.UncheckedIOException(gone);
            }
        }

        @Override
        public void sendInPieces(Message message, int bytes) {
            send(message);
        }

        @Override
        public void cut() {
            exchange.close();
        }
    }
}
