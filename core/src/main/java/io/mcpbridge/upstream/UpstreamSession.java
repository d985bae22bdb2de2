package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.era.Dialect;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.listening.Listening;
import io.mcpbridge.upstream.listening.LogLevelUpkeep;
import io.mcpbridge.upstream.session.SessionLine;
import io.mcpbridge.upstream.session.SessionUse;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, with its calls in flight. Any thread may use it.
 *
 * <p>Each call that is sent ends exactly once: by its answer, by a failure of its own, by its cancellation, or
 * with the connection.
 */
final class UpstreamSession implements SessionLine, Transport.Receiver {
    /** How long messages of ours that nobody waits for may take. */
    private static final Duration ASIDE = Duration.ofSeconds(10);

    private final String server;
    private final Transport transport;
    private final Timekeeper timekeeper;
    private final FlightTable flights;
    private final Aftermath aftermath;
    private final ServerMessages serverMessages;
    private final SessionListener listener;
    private final FlightVerdicts verdicts;
    private final SessionUse use;
    private final LogLevelUpkeep logLevel;
    private volatile @Nullable Dialect dialect;
    private volatile @Nullable Listening listening;
    private volatile KeyedCalls keyed = KeyedCalls.NONE;
    private volatile @Nullable Closed closed;
    private volatile @Nullable MessageId forgotten;

    UpstreamSession(String server, Transport transport, Timekeeper timekeeper, SessionListener listener) {
        this.server = server;
        this.transport = transport;
        this.timekeeper = timekeeper;
        this.flights = new FlightTable();
        this.aftermath = new Aftermath(timekeeper);
        this.listener = listener;
        this.verdicts = new FlightVerdicts(this, flights, listener);
        this.use = new SessionUse(timekeeper);
        this.logLevel = new LogLevelUpkeep(this, timekeeper);
        this.serverMessages = new ServerMessages(
                this,
                flights,
                new Attribution(flights, aftermath),
                new ServerQuestions(this, flights, timekeeper),
                listener);
    }

    Transport transport() {
        return transport;
    }

    @Override
    public String server() {
        return server;
    }

    /** Keeps the level of log messages, where the server says that it logs. */
    LogLevelUpkeep logLevel() {
        return logLevel;
    }

    @Override
    public boolean sharesStream() {
        return transport.traits().shape() == TransportTraits.Shape.SHARED_STREAM;
    }

    @Override
    public void forget(MessageId id) {
        forgotten = id;
        var flight = flights.take(id);
        if (flight != null) {
            release(flight);
        }
    }

    /** Whether what the server says unasked may belong to somebody else than {@code client}. */
    boolean maySpeakOfOthersThan(String client) {
        return aftermath.concernsOthersThan(client)
                || flights.ofClients().stream()
                        .anyMatch(flight -> !flight.client().equals(client));
    }

    int callsInFlight() {
        return flights.calls();
    }

    @Override
    public boolean isClosed() {
        return closed != null;
    }

    SessionListener listener() {
        return listener;
    }

    SessionUse use() {
        return use;
    }

    boolean isUsedWithin(Duration span) {
        return callsInFlight() > 0 || use.idle().compareTo(span) < 0;
    }

    /** Why the connection ended, once it has. */
    Optional<Closed> end() {
        return Optional.ofNullable(closed);
    }

    @Override
    public void speak(Dialect newDialect) {
        use.begin();
        dialect = newDialect;
    }

    /** Settles from what the server said of itself whether it runs calls with one key once. */
    void agree(ServerProfile profile) {
        keyed = KeyedCalls.of(profile);
    }

    /** Keeps hearing what a modern server tells unasked. */
    void listen(Listening newListening, Set<String> uris) {
        listening = newListening;
        if (closed == null) {
            newListening.begin(uris);
        }
        if (closed != null) {
            // Whoever closed it may have been there before the listening was.
            newListening.close();
        }
    }

    /** Where a modern server is listened to; empty in the legacy era. */
    Optional<Listening> listening() {
        return Optional.ofNullable(listening);
    }

    /** Sends a call, which leaves its place in the queue when it is written, and ends it once. */
    void send(Call call, Reply reply, CallQueue.Place place) {
        var spoken = dialect;
        if (spoken == null) {
            throw new IllegalStateException("the session with '" + server + "' is not ready");
        }
        if (!keyed.takes(call)) {
            place.leave();
            reply.done(Outcome.failed(KeyedCalls.foreign(server)));
            return;
        }
        use.called();
        logLevel.heed(call.caller());
        var id = flights.mint();
        Request request;
        try {
            request = spoken.dress(keyed.dress(call), id, call.caller());
        } catch (IllegalStateException homeless) {
            place.leave();
            reply.done(Outcome.failed(undressable(homeless)));
            return;
        }
        var headers = isModern() && !sharesStream() ? listener.headers(call) : call.metadata();
        var outgoing = Outgoing.of(request, spoken.version(), call.deadline()).withHeaders(headers);
        var dressed = authorized(call.callerWaits() ? outgoing.withCallerWaiting() : outgoing);
        launch(id, new Flight(call, reply, dressed, place));
    }

    private Failure undressable(IllegalStateException homeless) {
        var message = "the request cannot be sent to server '%s': %s".formatted(server, homeless.getMessage());
        return Failure.of(ErrorCode.INVALID_PARAMS, message).withServer(server).withCause(homeless);
    }

    @Override
    public void sendOwn(Call call, Outgoing outgoing, Reply reply) {
        launch(
                ((Request) outgoing.message()).id(),
                new Flight(call, reply, authorized(outgoing), CallQueue.Place.UNCOUNTED));
    }

    private Outgoing authorized(Outgoing outgoing) {
        return sharesStream() ? outgoing : outgoing.withHeaders(listener.authorized(outgoing.headers()));
    }

    @Override
    public void sendOwn(Call call, Reply reply) {
        var spoken = dialect;
        if (spoken == null) {
            throw new IllegalStateException("the session with '" + server + "' is not ready");
        }
        var request = spoken.dress(call.request(), call.request().id(), call.caller());
        sendOwn(call, Outgoing.of(request, spoken.version(), call.deadline()), reply);
    }

    @Override
    public MessageId mintId() {
        return flights.mint();
    }

    @Override
    public void sendAside(Message message) {
        var spoken = dialect;
        if (closed == null && !(isModern() && !sharesStream())) {
            // A server may ping before the handshake has settled what is spoken.
            var version = spoken == null ? ProtocolVersion.LATEST_LEGACY : spoken.version();
            transport.send(authorized(Outgoing.of(message, version, Deadline.after(ASIDE, timekeeper))));
        }
    }

    private void launch(MessageId id, Flight flight) {
        flights.put(id, flight);
        var ended = closed;
        if (ended != null) {
            end(flights.take(id), ended.toFailure());
            return;
        }
        flight.linkTo(flight.call().cancellation().onCancel(reason -> cancel(id, reason)));
        if (flights.find(id) == null) {
            flight.unlink();
            return;
        }
        flight.handOver(transport);
    }

    private void cancel(MessageId id, CancelReason reason) {
        var flight = withdraw(id);
        if (flight == null) {
            return;
        }
        var delivery = flight.withdraw(transport, reason.text());
        if (delivery == Delivery.NOT_SENT) {
            aftermath.end(id);
        }
        var why = withdrawn(flight.call(), reason).withDelivery(delivery);
        if (reason == CancelReason.TIMED_OUT && !flight.isOurOwn()) {
            listener.timedOut(why);
        }
        end(flight, why);
    }

    /** Takes a flight out; until the server is known to be done with it, what it says may belong to that client. */
    private @Nullable Flight withdraw(MessageId id) {
        var flight = flights.find(id);
        if (flight != null) {
            aftermath.begin(id, flight.client());
        }
        var taken = flights.take(id);
        if (taken == null) {
            aftermath.end(id);
        }
        return taken;
    }

    private Failure withdrawn(Call call, CancelReason reason) {
        var method = call.request().method();
        var what = method.equals(Methods.INITIALIZE)
                ? "the handshake with server '%s'".formatted(server)
                : "'%s' to server '%s'".formatted(method, server);
        var message = reason == CancelReason.TIMED_OUT
                ? "%s timed out after %d ms"
                        .formatted(what, call.deadline().span().toMillis())
                : "%s was withdrawn: %s".formatted(what, reason.text());
        return Failure.of(reason.code(), message);
    }

    @Override
    public void written(Outgoing out) {
        if (out.message() instanceof Request request) {
            var flight = flights.find(request.id());
            if (flight != null) {
                flight.markWritten();
            }
        }
    }

    @Override
    public void message(Message message, Optional<Outgoing> stream) {
        if (message instanceof Response response) {
            answered(response);
        } else if (message instanceof Notification notification) {
            serverMessages.notification(notification, stream);
        } else if (message instanceof Request request) {
            serverMessages.request(request, stream);
        }
    }

    /** Whether the answer to this request was wanted once. */
    private boolean isLate(MessageId id) {
        return aftermath.end(id) || Optional.of(id).equals(Optional.ofNullable(forgotten));
    }

    private void answered(Response response) {
        var flight = response.id().map(flights::take).orElse(null);
        if (flight == null) {
            if (response.id().filter(this::isLate).isEmpty()) {
                listener.dropped("an answer to no request of ours: " + response);
            }
            return;
        }
        release(flight);
        if (dialect != null) {
            use.answered();
        }
        verdicts.answered(flight, response);
    }

    /** Whether requests say by themselves who sends them. */
    boolean isModern() {
        var spoken = dialect;
        return spoken != null && spoken.version().era() == Era.MODERN;
    }

    @Override
    public void failed(Outgoing out, TransportFailure why) {
        if (!(out.message() instanceof Request request)) {
            listener.dropped(
                    "a message that the server did not take: " + why.failure().message());
            return;
        }
        var flight = flights.take(request.id());
        if (flight != null && verdicts.concernsSession(flight, why)) {
            release(flight);
            verdicts.failed(flight, out, why);
            return;
        }
        end(flight, why.failure());
    }

    @Override
    public void unreadable(ProtocolException why, Optional<MessageId> answerTo) {
        var flight = answerTo.map(flights::take).orElse(null);
        if (flight == null) {
            listener.dropped("what is no message: " + why.getMessage());
            return;
        }
        var message = "server '%s' broke the protocol: %s".formatted(server, why.getMessage());
        end(flight, Failure.of(ErrorCode.UPSTREAM_INVALID, message).withDelivery(Delivery.ANSWERED));
    }

    @Override
    public void closed(Closed why) {
        closed = why;
        serverMessages.closed();
        listening().ifPresent(Listening::close);
        flights.takeAll().forEach(flight -> end(flight, why.toFailure().withDelivery(flight.deliveryWithoutAnswer())));
        listener.closed(this, why);
    }

    private void end(@Nullable Flight flight, Failure failure) {
        if (flight != null) {
            release(flight);
            flight.reply().done(Outcome.failed(flight.judged(failure).withServer(server)));
        }
    }

    private void release(Flight flight) {
        flight.unlink();
        serverMessages.ended(flight);
    }

    /** Ends the connection; what is in flight fails as the transport reports its end. */
    void close() {
        transport.close();
        if (closed == null) {
            closed(Closed.byUs());
        }
    }
}
