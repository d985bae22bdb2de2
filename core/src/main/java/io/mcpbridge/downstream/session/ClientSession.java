package io.mcpbridge.downstream.session;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.EndedSession;
import io.mcpbridge.call.Principal;
import io.mcpbridge.downstream.calls.Budgets;
import io.mcpbridge.downstream.calls.ClientCalls;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.downstream.calls.Manner;
import io.mcpbridge.downstream.registry.ClientCard;
import io.mcpbridge.downstream.registry.ClientRecord;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Ending;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Peer;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * One client in the legacy era, from {@code initialize} to its end: on a byte stream its connection, on HTTP its
 * session. Any thread may use it.
 *
 * <p>Classifies what the client sends; requests that are not about the session itself become calls.
 */
public final class ClientSession {
    /** What names a session on HTTP. */
    public static final String SESSION_HEADER = "Mcp-Session-Id";

    private final String name;
    private final String secret;
    private final Peer peer;
    private final Principal principal;
    private final DownstreamParts parts;
    private final ClientCalls calls;
    private final Instant since;
    private final long begun;
    private final Questions questions = new Questions(this);
    private final Streams streams = new Streams();
    private final LogFilter logFilter = new LogFilter();
    private final SessionAudience audience = new SessionAudience(streams);
    private final Manner manner = new LegacyManner(logFilter);
    private final Introduction introduction = new Introduction();
    private final SessionRequests requests = new SessionRequests(introduction, logFilter, new Greeting());
    private final KeepAlive keepAlive;
    private volatile boolean isClosed;

    /** Makes the session of a client that has said nothing yet. */
    public ClientSession(Names names, Peer peer, Principal principal, DownstreamParts parts, Budgets budgets) {
        this.name = names.shown();
        this.secret = names.secret();
        this.peer = peer;
        this.principal = principal;
        this.parts = parts;
        this.calls = new ClientCalls(parts, budgets, ClientCalls.Key.ID);
        var timekeeper = parts.environment().timekeeper();
        this.since = timekeeper.now();
        this.begun = timekeeper.nanoTime();
        this.keepAlive = new KeepAlive(streams, parts.limits().keepAlive(), timekeeper);
    }

    /**
     * The two names of a session.
     *
     * @param shown for logs and operators
     * @param secret what opens it on HTTP; nobody but its client sees it
     */
    public record Names(String shown, String secret) {}

    /** What opens the session on HTTP. */
    public String secret() {
        return secret;
    }

    /** Who the client proved to be. */
    public Principal principal() {
        return principal;
    }

    /** Says who hears for how long the client has been silent that answers no ping; before it says anything. */
    public void whenLost(Consumer<Duration> action) {
        keepAlive.whenLost(action);
    }

    /** The client has shown that it is there. */
    public void heard() {
        keepAlive.heard();
    }

    /** Takes one thing that the client sent in this session. */
    public void received(Exchange exchange) {
        heard();
        switch (exchange.kind()) {
            case LISTEN, RESUME -> listen(exchange);
            case END -> exchange.end(Ending.empty());
            case MESSAGE -> exchange.message().ifPresent(message -> message(message, exchange));
        }
    }

    private void listen(Exchange exchange) {
        streams.add(exchange);
        if (isClosed) {
            streams.close();
        }
    }

    /** Whether the client has a stream open on which it can be told something at any time. */
    boolean isListening() {
        return !streams.isEmpty();
    }

    private void message(Message message, Exchange exchange) {
        if (message instanceof Request request) {
            request(request, exchange);
        } else if (message instanceof Notification notification) {
            notification(notification);
            exchange.end(Ending.accepted());
        } else if (message instanceof Response response) {
            questions.answered(response);
            exchange.end(Ending.accepted());
        }
    }

    private void request(Request request, Exchange exchange) {
        var answer = requests.answer(request);
        if (answer.isPresent()) {
            exchange.end(answer.get());
        } else {
            introduction.caller().ifPresent(from -> calls.begin(request, exchange, from, manner));
        }
    }

    /** The client has sent a request of the modern era too, in which it said this of itself. */
    public void introduced(ClientCard said) {
        introduction.modern(said);
    }

    /** Our name for the session, for logs and operators. */
    public String name() {
        return name;
    }

    /** The requests under way, of either era: the ids of one connection are told apart together. */
    public ClientCalls calls() {
        return calls;
    }

    /** Whether its handshake is done. */
    public boolean isInitialized() {
        return introduction.isInitialized();
    }

    /** The revision that was agreed on, once it was. */
    public ProtocolVersion version() {
        return introduction.agreed();
    }

    private void notification(Notification notification) {
        if (notification.method().equals(Methods.CANCELLED)) {
            notification.raw(Part.CANCELLED_ID).flatMap(MessageId::parse).ifPresent(calls::cancel);
            return;
        }
        if (notification.method().equals(Methods.ROOTS_LIST_CHANGED) && canBeAsked(Methods.ROOTS_LIST)) {
            introduction
                    .caller()
                    .ifPresent(from -> parts.news().told(from, Notification.of(Methods.ROOTS_LIST_CHANGED)));
        }
    }

    boolean canBeAsked(String method) {
        return introduction.canBeAsked(method);
    }

    /** Whether there is a way for a message that belongs to the call with this id, or to none. */
    boolean hears(String correlationId) {
        return isListening() || calls.find(correlationId).isPresent();
    }

    /** Where a message that belongs to the call with this id goes: its own stream, else one that listens. */
    Streams.Stream streamFor(String correlationId) {
        return calls.find(correlationId)
                .<Streams.Stream>map(mine -> mine.exchange()::offer)
                .orElse(streams::offer);
    }

    /** Tells the client something that belongs to no request. */
    public void tell(Message message) {
        if (introduction.isInitialized()) {
            streams.offer(message);
        }
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Whether the client has said who it is, in whatever era. */
    public boolean isIntroduced() {
        return introduction.isComplete();
    }

    /** The session for those who watch, when it is over. */
    public EndedSession ended() {
        var spoken = introduction.said().map(ClientCard::agreed).orElse(ProtocolVersion.LATEST_LEGACY);
        var age = Duration.ofNanos(parts.environment().timekeeper().nanoTime() - begun);
        return EndedSession.ofClient(spoken, age).over(peer.network(), "");
    }

    /** Ends the session and everything that the client waits for. */
    public void close(CancelReason reason) {
        isClosed = true;
        keepAlive.close();
        calls.close(reason);
        questions.close();
        audience.leave();
        streams.close();
    }

    /** How many of its requests have no answer yet. */
    public int callsInFlight() {
        return calls.size();
    }

    /** The client as operators see it. */
    public ClientRecord record() {
        return ClientRecord.of(
                name,
                introduction.said().orElse(ClientCard.SILENT),
                new ClientRecord.Origin(principal, peer.network(), peer.address(), since),
                callsInFlight());
    }

    private final class Greeting implements SessionRequests.Welcome {

        @Override
        public Caller.Builder complete(Caller.Builder said) {
            return said.principal(principal).session(name).client(questions).audience(audience);
        }

        @Override
        public Ending answer(Request request, ClientCard said) {
            keepAlive.begin();
            var result = parts.card().initializeResult(said.agreed());
            return Ending.answer(Response.result(request.id(), result)).withHeader(SESSION_HEADER, secret);
        }
    }
}
