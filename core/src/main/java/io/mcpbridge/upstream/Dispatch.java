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
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.ProtocolVersion;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.upstream.admission.CallQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
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
        var keys = keyed;
        if (!keys.takes(call)) {
            refuse(reply, place, KeyedCalls.foreign(session.server()));
            return;
        }
        var spoken = spoken();
        Request bare;
        try {
            bare = spoken.dress(keys.dress(call), flights.mint(), call.caller());
        } catch (RuntimeException homeless) {
            refuse(reply, place, undressable(homeless));
            return;
        }
        Outgoing outgoing;
        try {
            outgoing = outgoing(call, bare, spoken.version());
        } catch (RuntimeException defect) {
            refuse(reply, place, unsendable(defect));
            return;
        }
        launch(new Flight(call, reply, outgoing, place, timekeeper.nanoTime()));
    }

    private static void refuse(Reply reply, CallQueue.Place place, Failure why) {
        place.leave();
        reply.done(Outcome.failed(why));
    }

    private Outgoing outgoing(Call call, Request bare, ProtocolVersion version) {
        var additions = additions(call, bare.id(), version);
        var headers = isModern() && !session.sharesStream() ? session.listener().headers(call) : call.metadata();
        var outgoing = Outgoing.of(additions.in(bare), version, call.deadline()).withHeaders(additions.in(headers));
        return authorized(call.callerWaits() ? outgoing.withCallerWaiting() : outgoing);
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

    private Failure undressable(RuntimeException homeless) {
        var server = session.server();
        var message = "the request cannot be sent to server '%s': %s".formatted(server, homeless.getMessage());
        return Failure.of(ErrorCode.INVALID_PARAMS, message).withServer(server).withCause(homeless);
    }

    /** What a plug-in throws that has a part in each request, such as whoever keeps the credentials. */
    private Failure unsendable(RuntimeException thrown) {
        var server = session.server();
        if (thrown instanceof BridgeException known) {
            return known.failure().withServer(server).withDelivery(Delivery.NOT_SENT);
        }
        var message = "the request to server '%s' was not sent, as its headers or additions could not be had: %s";
        return Failure.of(ErrorCode.INTERNAL_ERROR, message.formatted(server, thrown))
                .withServer(server)
                .withCause(thrown);
    }

    void sendOwn(Call call, Outgoing outgoing, Reply reply) {
        var bystanders = session.listener().bystanders();
        if (!bystanders.watch(call)) {
            launchOwn(call, () -> outgoing, reply);
            return;
        }
        var watched = bystanders.begun(call, session.server());
        launchOwn(watched, () -> withAdditions(watched, outgoing), bystanders.reply(watched, reply));
    }

    private void launchOwn(Call call, Supplier<Outgoing> bare, Reply reply) {
        Outgoing outgoing;
        try {
            outgoing = authorized(bare.get());
        } catch (RuntimeException defect) {
            refuse(reply, CallQueue.Place.UNCOUNTED, unsendable(defect));
            return;
        }
        launch(new Flight(call, reply, outgoing, CallQueue.Place.UNCOUNTED, timekeeper.nanoTime()));
    }

    private Outgoing withAdditions(Call call, Outgoing bare) {
        var request = (Request) bare.message();
        var additions = additions(call, request.id(), bare.version());
        return Outgoing.of(additions.in(request), bare.version(), bare.deadline())
                .withHeaders(additions.in(bare.headers()));
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
        Outgoing dressed;
        try {
            dressed = authorized(outgoing);
        } catch (RuntimeException defect) {
            session.listener()
                    .dropped("a message to the server: " + unsendable(defect).message());
            return;
        }
        session.transport().send(dressed);
    }

    private Outgoing authorized(Outgoing outgoing) {
        return session.sharesStream()
                ? outgoing
                : outgoing.withHeaders(session.listener().authorized(outgoing.headers()));
    }

    private void launch(Flight flight) {
        var id = ((Request) flight.outgoing().message()).id();
        flights.put(id, flight);
        var ended = session.ending().why();
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
