package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.EndedSession;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.era.Dialect;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.ProtocolException;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.upstream.health.Pulse;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.listening.Listening;
import io.mcpbridge.upstream.listening.LogLevelUpkeep;
import io.mcpbridge.upstream.session.SessionLine;
import io.mcpbridge.upstream.session.SessionUse;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, with its calls in flight. Any thread may use it.
 *
 * <p>Each call that is sent ends exactly once: by its answer, by a failure of its own, by its cancellation, or
 * with the connection.
 */
final class UpstreamSession implements SessionLine, Transport.Receiver {
    private final String server;
    private final Transport transport;
    private final boolean sharesStream;
    private final FlightTable flights;
    private final Dispatch dispatch;
    private final Withdrawals withdrawals;
    private final ServerMessages serverMessages;
    private final SessionListener listener;
    private final FlightVerdicts verdicts;
    private final SessionUse use;
    private final LogLevelUpkeep logLevel;
    private volatile @Nullable Listening listening;
    private volatile @Nullable Pulse pulse;
    private volatile @Nullable Closed closed;
    private volatile boolean isLeft;
    private final AtomicReference<@Nullable Runnable> onEmpty = new AtomicReference<>();

    UpstreamSession(String server, Transport transport, Environment environment, SessionListener listener) {
        this.server = server;
        this.transport = transport;
        this.sharesStream = transport.traits().shape() == TransportTraits.Shape.SHARED_STREAM;
        var timekeeper = environment.timekeeper();
        this.flights = new FlightTable();
        this.dispatch = new Dispatch(this, flights, timekeeper);
        this.withdrawals = new Withdrawals(this, flights, timekeeper);
        this.listener = listener;
        this.verdicts = new FlightVerdicts(this, flights, listener);
        this.use = new SessionUse(timekeeper);
        this.logLevel = new LogLevelUpkeep(this, timekeeper);
        this.serverMessages = new ServerMessages(
                this,
                flights,
                new Attribution(flights, withdrawals.aftermath()),
                new ServerQuestions(this, flights, timekeeper, environment.bounds()),
                withdrawals.aftermath(),
                timekeeper,
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
        return sharesStream;
    }

    @Override
    public void forget(MessageId id) {
        withdrawals.forgot(id);
        var flight = flights.take(id);
        if (flight != null) {
            release(flight);
        }
    }

    /** Whether what the server says unasked may belong to somebody else than {@code client}. */
    boolean maySpeakOfOthersThan(String client) {
        return withdrawals.aftermath().concernsOthersThan(client)
                || flights.ofClients().stream()
                        .anyMatch(flight -> !flight.client().equals(client));
    }

    /** A client that was lost has come back, and goes by another name now. */
    void renamed(String from, String to) {
        withdrawals.aftermath().rename(from, to);
    }

    /** Somebody has come whom the server may ask what belongs to no call, or it is known now that nobody will. */
    void occupied() {
        serverMessages.occupied();
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
        dispatch.speak(newDialect);
    }

    /** Settles from what the server said of itself whether it runs calls with one key once. */
    void agree(ServerProfile profile) {
        dispatch.agree(KeyedCalls.of(profile));
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

    /** Keeps asking a silent server for signs of life. */
    void watch(Pulse newPulse) {
        pulse = newPulse;
        newPulse.begin();
        if (closed != null) {
            newPulse.close();
        }
    }

    /** Where a modern server is listened to; empty in the legacy era. */
    Optional<Listening> listening() {
        return Optional.ofNullable(listening);
    }

    /** Sends a call, which leaves its place in the queue when it is written, and ends it once. */
    void send(Call call, Reply reply, CallQueue.Place place) {
        use.called();
        logLevel.heed(call.caller());
        dispatch.send(call, reply, place);
    }

    @Override
    public void sendOwn(Call call, Outgoing outgoing, Reply reply) {
        dispatch.sendOwn(call, outgoing, reply);
    }

    /** The same request of our own under a new id, as whoever was refused it. */
    void sendOwnAgain(Call call, Outgoing refused, Reply reply) {
        dispatch.sendOwnAgain(call, refused, reply);
    }

    @Override
    public void sendOwn(Call call, Reply reply) {
        dispatch.sendOwn(call, reply);
    }

    @Override
    public MessageId mintId() {
        return flights.mint();
    }

    @Override
    public void sendAside(Message message) {
        dispatch.sendAside(message);
    }

    /** Takes a request back that nobody wants any longer. */
    void cancel(MessageId id, CancelReason reason) {
        withdrawals.cancel(id, reason);
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
        var now = use.heard();
        if (message instanceof Response response) {
            answered(response, now);
        } else if (message instanceof Notification notification) {
            serverMessages.notification(notification, stream);
        } else if (message instanceof Request request) {
            serverMessages.request(request, stream);
        }
    }

    private void answered(Response response, long now) {
        var flight = response.id().map(flights::take).orElse(null);
        if (flight == null) {
            if (response.id().filter(withdrawals::isLate).isEmpty()) {
                listener.dropped("an answer to no request of ours: " + response);
            }
            return;
        }
        release(flight);
        if (dispatch.isReady()) {
            use.answered();
        }
        if (!flight.isOurOwn()) {
            listener.latencies().record(flight.begun(), now);
        }
        verdicts.answered(flight, response);
    }

    /** Whether requests say by themselves who sends them. */
    boolean isModern() {
        return dispatch.isModern();
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
        use.heard();
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
        if (closed != null) {
            // It was given up before its transport had ended.
            return;
        }
        closed = why;
        serverMessages.closed();
        listening().ifPresent(Listening::close);
        Optional.ofNullable(pulse).ifPresent(Pulse::close);
        flights.takeAll().forEach(flight -> end(flight, why.toFailure().withDelivery(flight.deliveryWithoutAnswer())));
        listener.closed(this, why);
        dispatch.version().ifPresent(version -> ended(version, why));
    }

    /** Tells those who watch, where there was a session: modern requests over HTTP need none. */
    private void ended(ProtocolVersion version, Closed why) {
        if (isModern() && !sharesStream()) {
            return;
        }
        listener.bystanders().ended(() -> {
            var traits = transport.traits();
            var session = EndedSession.withServer(server, version, use.age()).over(traits.network(), traits.address());
            return isLeft ? session : session.failed(why.toFailure());
        });
    }

    /** Ends a flight that was taken out, if there was one. */
    void end(@Nullable Flight flight, Failure failure) {
        if (flight != null) {
            release(flight);
            flight.reply().done(Outcome.failed(flight.judged(failure).withServer(server)));
        }
    }

    private void release(Flight flight) {
        flight.unlink();
        serverMessages.ended(flight);
        lookIfEmpty();
    }

    /** Runs {@code action} once, when no call is under way here any more. */
    void whenEmpty(Runnable action) {
        listening().ifPresent(Listening::close);
        onEmpty.set(action);
        lookIfEmpty();
    }

    private void lookIfEmpty() {
        if (onEmpty.get() != null && flights.calls() == 0) {
            Optional.ofNullable(onEmpty.getAndSet(null)).ifPresent(Runnable::run);
        }
    }

    /** Ends the connection; what is in flight fails as the transport reports its end. */
    void close() {
        isLeft = true;
        transport.close();
        if (closed == null) {
            closed(Closed.byUs());
        }
    }
}
