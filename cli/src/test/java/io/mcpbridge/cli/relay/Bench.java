package io.mcpbridge.cli.relay;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.testkit.InMemoryTransport;
import io.mcpbridge.testkit.RecordingExchange;
import io.mcpbridge.testkit.ScriptedServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A relay without its process: the test is the client and, by a script, the daemon. */
final class Bench implements AutoCloseable {
    static final String INITIALIZE = """
        {"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","processId":7,\
        "capabilities":{"roots":{}},"clientInfo":{"name":"a desktop","version":"9"}}}\
        """;

    private static final String WELCOME =
            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{},\"resources\":{}},\"serverInfo\":{}}";

    final ScriptedServer daemon = new ScriptedServer().on(Methods.INITIALIZE, WELCOME);
    final AtomicInteger dials = new AtomicInteger();
    final RecordingExchange listening = RecordingExchange.of(Exchange.Kind.LISTEN);
    volatile boolean isAbsent;
    private final SystemTimekeeper time = new SystemTimekeeper();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final Memory memory = new Memory("desk");
    private final DaemonLine line;
    private final ClientLine client;

    Bench(Patience patience) {
        line = new DaemonLine(new Dialing(this::dial, patience), workers);
        client = new ClientLine(memory, line, () -> {});
        line.begin(client);
        client.received(listening);
    }

    private DaemonConnection dial(DaemonConnection.Owner owner) throws InterruptedException {
        dials.incrementAndGet();
        var transport = isAbsent ? InMemoryTransport.unreachable() : InMemoryTransport.to(daemon);
        var greeting = new Greeting(owner);
        var connection = new DaemonConnection(transport, time, greeting);
        connection.open(Deadline.after(Duration.ofSeconds(5), time));
        greeting.say(connection, memory.toRepeat());
        return connection;
    }

    RecordingExchange say(String json) {
        var exchange = RecordingExchange.of(json);
        client.received(exchange);
        return exchange;
    }

    RecordingExchange ask(String id, String method, String params) {
        return say("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}".formatted(id, method, params));
    }

    /** What the client was told beside its answers. */
    List<String> told() {
        return listening.offered().stream().map(Message::json).toList();
    }

    @Override
    public void close() {
        line.close();
        workers.shutdownNow();
        time.close();
    }
}
