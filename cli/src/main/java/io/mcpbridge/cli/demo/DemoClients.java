package io.mcpbridge.cli.demo;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.ElicitationHandler.ElicitRequest;
import io.mcpbridge.ElicitationHandler.ElicitResult;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.gateway.Daemon;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** One client per listener of the daemon: one of the legacy era, one of the modern era, and one that negotiates. */
final class DemoClients implements AutoCloseable {
    private static final String LEGACY = "a legacy client over a Unix socket";
    private static final String MODERN = "a modern client over Streamable HTTP";
    private static final String NEGOTIATING = "a client over stdio";

    private final Map<String, Connection> clients = new LinkedHashMap<>();
    private final AtomicInteger questions = new AtomicInteger();

    DemoClients(Daemon daemon, Path socket) throws InterruptedException {
        var options = ConnectionOptions.DEFAULTS.withRetryPolicy("none").withElicitationHandler(this::answer);
        var unix = options.withClientId("demo-unix").with("protocol", "legacy");
        var http = options.with("protocol", "2026-07-28");
        try {
            clients.put(LEGACY, Connection.to(daemon.addresses().get(0), unix));
            clients.put(MODERN, Connection.to(daemon.addresses().get(1), http));
            clients.put(NEGOTIATING, Connection.toCommand(DemoConfiguration.connect(socket), options));
        } catch (BridgeException | InterruptedException failed) {
            close();
            throw failed;
        }
    }

    /** The answer to an elicitation, in place of a user. */
    private ElicitResult answer(ElicitRequest request) {
        if (request.message().contains(DemoHandler.QUESTION)) {
            questions.incrementAndGet();
        }
        return ElicitResult.accept(Map.of("name", "Ada"));
    }

    /** The number of elicitations that the clients have received. */
    int questions() {
        return questions.get();
    }

    Map<String, Connection> all() {
        return clients;
    }

    Connection legacy() {
        return Objects.requireNonNull(clients.get(LEGACY));
    }

    Connection modern() {
        return Objects.requireNonNull(clients.get(MODERN));
    }

    @Override
    public void close() {
        clients.values().forEach(Connection::close);
    }
}
