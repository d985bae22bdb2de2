package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.era.Dialect;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.spi.TransportTraits;
import io.mcpbridge.upstream.admission.CallQueue;
import io.mcpbridge.upstream.introduction.ServerProfile;
import io.mcpbridge.upstream.seats.SeatedSession;
import io.mcpbridge.upstream.session.SessionUse;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, with its calls in flight. Any thread may use it.
 *
 * <p>Each call that is sent ends exactly once: by its answer, by a failure of its own, by its cancellation, or
 * with the connection.
 */
final class UpstreamSession implements SeatedSession {
    private final String server;
    private final Transport transport;
    private final boolean sharesStream;
    private final FlightTable flights;
    private final Dispatch dispatch;
    private final Withdrawals withdrawals;
    private final ServerMessages serverMessages;
    private final SessionListener listener;
    private final Incoming incoming;
    private final SessionUse use;
    private final SessionAttendants attendants;
    private final SessionEnd ending;

    UpstreamSession(String server, Transport transport, Environment environment, SessionListener listener) {
        this.server = server;
        this.transport = transport;
        this.sharesStream = transport.traits().shape() == TransportTraits.Shape.SHARED_STREAM;
        var timekeeper = environment.timekeeper();
        this.flights = new FlightTable();
        this.dispatch = new Dispatch(this, flights, timekeeper);
        this.withdrawals = new Withdrawals(this, flights, timekeeper);
        this.listener = listener;
        this.use = new SessionUse(timekeeper);
        this.attendants = new SessionAttendants(this, timekeeper);
        this.serverMessages = new ServerMessages(
                this,
                flights,
                new Attribution(flights, withdrawals.aftermath()),
                new ServerQuestions(this, flights, timekeeper, environment.bounds(), listener::occupant),
                withdrawals.aftermath(),
                timekeeper,
                listener);
        this.ending = new SessionEnd(this, flights, serverMessages, environment.logger());
        this.incoming =
                new Incoming(this, flights, withdrawals, new FlightVerdicts(this, flights, listener), serverMessages);
    }

    Transport transport() {
        return transport;
    }

    /** Where the transport tells what it hears. */
    Transport.Receiver receiver() {
        return incoming;
    }

    @Override
    public String server() {
        return server;
    }

    /** Who speaks for the bridge here, beside the calls of clients. */
    SessionAttendants attendants() {
        return attendants;
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

    @Override
    public boolean maySpeakOfOthersThan(String client) {
        return withdrawals.aftermath().concernsOthersThan(client)
                || flights.ofClients().stream()
                        .anyMatch(flight -> !flight.client().equals(client));
    }

    @Override
    public void renamed(String from, String to) {
        withdrawals.aftermath().rename(from, to);
    }

    @Override
    public void occupied() {
        serverMessages.occupied();
    }

    int callsInFlight() {
        return flights.calls();
    }

    @Override
    public boolean isClosed() {
        return ending.isOver();
    }

    /** How it ends, and whether it has. */
    SessionEnd ending() {
        return ending;
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

    @Override
    public void speak(Dialect newDialect) {
        use.begin();
        dispatch.speak(newDialect);
    }

    /** Settles from what the server said of itself whether it runs calls with one key once. */
    void agree(ServerProfile profile) {
        dispatch.agree(KeyedCalls.of(profile));
    }

    /** Sends a call, which leaves its place in the queue when it is written, and ends it once. */
    void send(Call call, Reply reply, CallQueue.Place place) {
        use.called();
        attendants.logLevel().heed(call.caller());
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
    public boolean isModern() {
        return dispatch.isModern();
    }

    /** What is spoken, once that is known. */
    Optional<ProtocolVersion> version() {
        return dispatch.version();
    }

    /** Whether it is known what is spoken. */
    boolean isReady() {
        return dispatch.isReady();
    }

    /** The connection is over. */
    void closed(Closed why) {
        ending.closed(why);
    }

    /** Ends a flight that was taken out, if there was one. */
    void end(@Nullable Flight flight, Failure failure) {
        if (flight != null) {
            release(flight);
            flight.reply().done(Outcome.failed(flight.judged(failure).withServer(server)));
        }
    }

    /** A flight that was taken out is about to end. */
    void release(Flight flight) {
        flight.unlink();
        serverMessages.ended(flight);
        ending.lookIfEmpty();
    }

    /** Ends the connection; what is in flight fails as the transport reports its end. */
    void close() {
        ending.close(transport::close);
    }

    /** The same, without a chance for the server to end in good order. */
    void kill() {
        ending.close(transport::closeAtOnce);
    }

    /** Asks the server to end, without waiting; it is closed after that. */
    void hangUp() {
        ending.hangUp();
    }
}
