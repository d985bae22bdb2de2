package io.mcpbridge.cli.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.testkit.InMemoryTransport;
import io.mcpbridge.testkit.ScriptedServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A relay without its own process; the test plays the client and scripts the daemon. */
final class RelayFixture implements AutoCloseable {
    static final String INITIALIZE = """
        {"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-06-18","processId":7,\
        "capabilities":{"roots":{}},"clientInfo":{"name":"a desktop","version":"9"}}}\
        """;

    private static final String WELCOME =
            "{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"tools\":{},\"resources\":{}},\"serverInfo\":{}}";

    final ScriptedServer daemon = new ScriptedServer().on(Methods.INITIALIZE, WELCOME);
    final AtomicInteger connects = new AtomicInteger();
    final Sent listening = new Sent(Exchange.Kind.LISTEN, Optional.empty());
    volatile boolean isAbsent;
    private final SystemTimekeeper time = new SystemTimekeeper();
    private final ExecutorService workers = Executors.newCachedThreadPool();
    private final SessionState session = new SessionState("desk");
    private final ReconnectingChannel channel;
    private final StdioClient client;

    RelayFixture(ReconnectPolicy policy) {
        channel = new ReconnectingChannel(
                this::connect, policy, new SocketWatch(Path.of("/no/such/folder/b.sock")), workers);
        client = new StdioClient(session, channel, () -> {});
        channel.begin(client);
        client.received(listening);
    }

    private DaemonConnection connect(ReconnectingChannel owner) throws InterruptedException {
        connects.incrementAndGet();
        var transport = isAbsent ? InMemoryTransport.unreachable() : InMemoryTransport.to(daemon);
        var connection = new DaemonConnection(transport, time, owner);
        connection.open(Deadline.after(Duration.ofSeconds(5), time));
        connection.replay(session.restoringRequests());
        return connection;
    }

    Sent send(String json) {
        var exchange = new Sent(Exchange.Kind.MESSAGE, Optional.of(scanned(json)));
        client.received(exchange);
        return exchange;
    }

    private static Message scanned(String json) {
        return Message.scan(json.getBytes(StandardCharsets.UTF_8), Limits.CLIENT);
    }

    Sent request(String id, String method, String params) {
        return send("{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"%s\",\"params\":%s}".formatted(id, method, params));
    }

    /** The messages that the client received, other than responses. */
    List<String> offered() {
        return listening.offered.stream().map(Message::json).toList();
    }

    @Override
    public void close() {
        channel.close();
        workers.shutdownNow();
        time.close();
    }

    /** One thing that the client sent, and what came back for it. Any thread may use it. */
    static final class Sent implements Exchange {
        private final Kind kind;
        private final Optional<Message> message;
        private final List<Message> offered = new CopyOnWriteArrayList<>();
        private final List<Ending> endings = new CopyOnWriteArrayList<>();

        private Sent(Kind kind, Optional<Message> message) {
            this.kind = kind;
            this.message = message;
        }

        @Override
        public Kind kind() {
            return kind;
        }

        @Override
        public Optional<Message> message() {
            return message;
        }

        @Override
        public MessageHeaders headers() {
            return MessageHeaders.EMPTY;
        }

        @Override
        public Principal principal() {
            return Principal.ANONYMOUS;
        }

        @Override
        public void bind(String session) {}

        @Override
        public Offer offer(Message event) {
            offered.add(event);
            return Offer.SENT;
        }

        @Override
        public void end(Ending ending) {
            endings.add(ending);
        }

        @Override
        public void onAbandoned(Runnable action) {}

        boolean isEnded() {
            return !endings.isEmpty();
        }

        /** The JSON of the answer, or the empty string if it ended without one; it must have ended once. */
        String answer() {
            assertThat(endings).hasSize(1);
            return endings.get(0).message().map(Message::json).orElse("");
        }
    }
}
