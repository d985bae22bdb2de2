package io.mcpbridge.upstream;

import io.mcpbridge.call.Additions;
import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Sending;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.era.Dialect;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says things to one session's server as its dialect wants them said, with the headers that belong to them. Any thread;
 * nothing here waits.
 */
final class Dispatch {
    /** How long messages of ours that nobody waits for may take. */
    private static final Duration ASIDE = Duration.ofSeconds(10);

    private final UpstreamSession session;
    private final FlightTable flights;
    private final Timekeeper timekeeper;
    private volatile @Nullable Dialect dialect;
    private volatile KeyedCalls keyed = KeyedCalls.NONE;

    Dispatch(UpstreamSession session, FlightTable flights, Timekeeper timekeeper) {
        this.session = session;
        this.flights = flights;
        this.timekeeper = timekeeper;
    }

    void speak(Dialect newDialect) {
        dialect = newDialect;
    }

    void agree(KeyedCalls newKeyed) {
        keyed = newKeyed;
    }

    /** Whether it is known what is spoken. */
    boolean isReady() {
        return dialect != null;
    }

    /** Whether requests say by themselves who sends them. */
    boolean isModern() {
        var spoken = dialect;
        return spoken != null && spoken.version().era() == Era.MODERN;
    }

    /** The revision that is spoken, once that is known. */
    Optional<ProtocolVersion> version() {
        return Optional.ofNullable(dialect).map(Dialect::version);
    }

    /** Sends a call, which leaves its place in the queue when it is written, and ends it once. */
    void send(Call call, Reply reply, CallQueue.Place place) {
        var bystanders = session.listener().bystanders();
        if (bystanders.watch(call)) {
            var watched = bystanders.begun(call, session.server());
            launch(watched, bystanders.reply(watched, reply), place);
        } else {
            launch(call, reply, place);
        }
    }

    private void launch(Call call, Reply reply, CallQueue.Place place) {
        var spoken = spoken();
        var keys = keyed;
        if (!keys.takes(call)) {
            place.leave();
            reply.done(Outcome.failed(KeyedCalls.foreign(session.server())));
            return;
        }
        var id = flights.mint();
        var additions = additions(call, id, spoken.version());
        Request request;
        try {
            request = additions.in(spoken.dress(keys.dress(call), id, call.caller()));
        } catch (IllegalStateException homeless) {
            place.leave();
            reply.done(Outcome.failed(undressable(homeless)));
            return;
        }
        var headers = isModern() && !session.sharesStream() ? session.listener().headers(call) : call.metadata();
        var outgoing = Outgoing.of(request, spoken.version(), call.deadline()).withHeaders(additions.in(headers));
        var dressed = authorized(call.callerWaits() ? outgoing.withCallerWaiting() : outgoing);
        launch(id, new Flight(call, reply, dressed, place, timekeeper.nanoTime()));
    }

    /** What those who watch the attempt send along with it. */
    private Additions additions(Call call, MessageId id, ProtocolVersion version) {
        var watch = call.attempt();
        if (watch == AttemptWatch.NONE) {
            return Additions.NONE;
        }
        var transport = session.transport();
        var traits = transport.traits();
        return watch.sending(Sending.of(id, version)
                .over(traits.network(), traits.address())
                .in(transport.sessionId().orElse("")));
    }

    private Dialect spoken() {
        var spoken = dialect;
        if (spoken == null) {
            throw new IllegalStateException("the session with '" + session.server() + "' is not ready");
        }
        return spoken;
    }

    private Failure undressable(IllegalStateException homeless) {
        var server = session.server();
        var message = "the request cannot be sent to server '%s': %s".formatted(server, homeless.getMessage());
        return Failure.of(ErrorCode.INVALID_PARAMS, message).withServer(server).withCause(homeless);
    }

    void sendOwn(Call call, Outgoing outgoing, Reply reply) {
        var bystanders = session.listener().bystanders();
        if (!bystanders.watch(call)) {
            launchOwn(call, outgoing, reply);
            return;
        }
        var watched = bystanders.begun(call, session.server());
        var request = (Request) outgoing.message();
        var additions = additions(watched, request.id(), outgoing.version());
        var dressed = Outgoing.of(additions.in(request), outgoing.version(), outgoing.deadline())
                .withHeaders(additions.in(outgoing.headers()));
        launchOwn(watched, dressed, bystanders.reply(watched, reply));
    }

    private void launchOwn(Call call, Outgoing outgoing, Reply reply) {
        var id = ((Request) outgoing.message()).id();
        var place = CallQueue.Place.UNCOUNTED;
        launch(id, new Flight(call, reply, authorized(outgoing), place, timekeeper.nanoTime()));
    }

    void sendOwnAgain(Call call, Outgoing refused, Reply reply) {
        var request = (Request) refused.message().splice().id(flights.mint()).done();
        sendOwn(call, Outgoing.of(request, refused.version(), refused.deadline()), reply);
    }

    void sendOwn(Call call, Reply reply) {
        var spoken = spoken();
        var request = spoken.dress(call.request(), call.request().id(), call.caller());
        sendOwn(call, Outgoing.of(request, spoken.version(), call.deadline()), reply);
    }

    void sendAside(Message message) {
        if (session.isClosed() || (isModern() && !session.sharesStream())) {
            return;
        }
        // A server may ping before the handshake has settled what is spoken.
        var spoken = dialect;
        var version = spoken == null ? ProtocolVersion.LATEST_LEGACY : spoken.version();
        var outgoing = Outgoing.of(message, version, Deadline.after(ASIDE, timekeeper));
        session.transport().send(authorized(outgoing));
    }

    private Outgoing authorized(Outgoing outgoing) {
        return session.sharesStream()
                ? outgoing
                : outgoing.withHeaders(session.listener().authorized(outgoing.headers()));
    }

    private void launch(MessageId id, Flight flight) {
        flights.put(id, flight);
        var ended = session.end();
        if (ended.isPresent()) {
            session.end(flights.take(id), ended.get().toFailure());
            return;
        }
        flight.linkTo(flight.call().cancellation().onCancel(reason -> session.cancel(id, reason)));
        if (flights.find(id) == null) {
            flight.unlink();
            return;
        }
        flight.handOver(session.transport());
    }
}
