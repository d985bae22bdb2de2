package io.mcpbridge.engine;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.engine.session.Clients;
import io.mcpbridge.engine.session.DownstreamParts;
import io.mcpbridge.engine.session.DownstreamParts.ClientLimits;
import io.mcpbridge.engine.session.ServerCard;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.TransportTraits.Shape;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Clients in front of the bridge; behind it stands nothing but the test, which keeps each call. */
final class ClientBench {
    static final String INITIALIZE = """
        {"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":\
        {"elicitation":{}},"clientInfo":{"name":"a client","version":"1"}}}\
        """;

    /** The idle time after which {@link #pinging} clients are pinged; others never are. */
    static final Duration KEEP_ALIVE = Duration.ofSeconds(20);

    static final ClientLimits LIMITS = new ClientLimits(3, 2, 2, Duration.ofMinutes(30), Duration.ZERO);

    final FakeTimekeeper time = new FakeTimekeeper();
    final RecordingLogger log = new RecordingLogger();
    final List<Call> calls = new CopyOnWriteArrayList<>();
    final List<Reply> replies = new CopyOnWriteArrayList<>();
    final List<String> news = new CopyOnWriteArrayList<>();
    final List<AuditNote> notes = new CopyOnWriteArrayList<>();
    final Map<String, String> schemas = new ConcurrentHashMap<>();
    final Clients clients;
    volatile boolean sinkIsBroken;

    ClientBench() {
        this(LIMITS, Duration.ZERO);
    }

    private ClientBench(ClientLimits limits, Duration sleep) {
        var environment = Environment.of(new Sleepy(time, sleep), Runnable::run, Fakes.NO_LAUNCHER)
                .withLogger(log)
                .withVariables(Map.of());
        var card = new ServerCard("mcp-bridge-server", "1.2.3", "");
        clients = new Clients(
                new DownstreamParts(
                        this::keep,
                        environment,
                        card,
                        () -> Duration.ofMinutes(1),
                        limits,
                        this::schema,
                        (caller, told) -> news.add(told.method())),
                this::note);
    }

    private void note(AuditNote note) {
        if (sinkIsBroken) {
            throw new IllegalStateException("a sink's defect");
        }
        notes.add(note);
    }

    /** One whose clients are pinged. */
    static ClientBench pinging() {
        return sleeping(Duration.ZERO);
    }

    /** The same on a machine that sleeps for so long before each alarm. */
    static ClientBench sleeping(Duration sleep) {
        return new ClientBench(
                new ClientLimits(
                        LIMITS.callsInFlight(),
                        LIMITS.connections(),
                        LIMITS.subscriptions(),
                        LIMITS.sessionIdle(),
                        KEEP_ALIVE),
                sleep);
    }

    private record Sleepy(FakeTimekeeper time, Duration sleep) implements Timekeeper {
        @Override
        public long nanoTime() {
            return time.nanoTime();
        }

        @Override
        public Instant now() {
            return time.now();
        }

        @Override
        public Alarm schedule(Duration delay, Runnable action) {
            return time.schedule(delay.plus(sleep), action);
        }
    }

    private Optional<String> schema(Caller caller, String tool) {
        return Optional.ofNullable(schemas.get(tool));
    }

    private void keep(Call call, Reply reply) {
        calls.add(call);
        replies.add(reply);
    }

    /** A connection of a byte stream. */
    Intake stream() {
        var peer = new Peer(Principal.ANONYMOUS, Shape.SHARED_STREAM, "unix", "here");
        return clients.connected(peer).orElseThrow();
    }

    /** The connected clients, as operators see them. */
    List<ClientStatus> registry() {
        return clients.registry().stream().map(ClientStatus::of).toList();
    }

    /** A connection of a byte stream whose client has done its handshake. */
    Intake greeted() {
        var stream = stream();
        say(stream, INITIALIZE);
        return stream;
    }

    Intake http() {
        var peer = new Peer(Principal.ANONYMOUS, Shape.STREAM_PER_REQUEST, "tcp", "there");
        return clients.connected(peer).orElseThrow();
    }

    static RecordingExchange say(Intake intake, String json) {
        return hand(intake, RecordingExchange.of(json));
    }

    static RecordingExchange listen(Intake intake) {
        return hand(intake, RecordingExchange.of(Exchange.Kind.LISTEN));
    }

    static RecordingExchange hand(Intake intake, RecordingExchange exchange) {
        intake.received(exchange);
        return exchange;
    }

    static RecordingExchange call(Intake intake, String id) {
        return say(intake, callJson(id));
    }

    static String callJson(String id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%s,\"method\":\"tools/call\",\"params\":{\"name\":\"a__b\"}}".formatted(id);
    }

    /** Answers the call that came in this place. */
    void answer(int index, String result) {
        replies.get(index).complete(Outcome.answered(Response.result(MessageId.of(77), result)));
    }
}
