package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Takes requests of one session back whose callers want them no longer. Any thread; nothing here waits. */
final class Withdrawals {
    private final UpstreamSession session;
    private final FlightTable flights;
    private final Aftermath aftermath;
    private volatile @Nullable MessageId forgotten;

    Withdrawals(UpstreamSession session, FlightTable flights, Timekeeper timekeeper) {
        this.session = session;
        this.flights = flights;
        this.aftermath = new Aftermath(timekeeper);
    }

    /** The requests that the server may go on with. */
    Aftermath aftermath() {
        return aftermath;
    }

    /** A request was let go of without a word to the server. */
    void forgot(MessageId id) {
        forgotten = id;
    }

    /** Whether the answer to this request was wanted once. */
    boolean isLate(MessageId id) {
        return aftermath.end(id) || Optional.of(id).equals(Optional.ofNullable(forgotten));
    }

    void cancel(MessageId id, CancelReason reason) {
        var flight = withdraw(id);
        if (flight == null) {
            return;
        }
        var delivery = flight.withdraw(session.transport(), reason.text());
        if (delivery == Delivery.NOT_SENT) {
            aftermath.end(id);
        }
        var why = withdrawn(flight.call(), reason).withDelivery(delivery);
        if (reason == CancelReason.TIMED_OUT && !flight.isOurOwn()) {
            session.listener().timedOut(why);
        }
        session.end(flight, why);
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
                ? "the handshake with server '%s'".formatted(session.server())
                : "'%s' to server '%s'".formatted(method, session.server());
        var message = reason == CancelReason.TIMED_OUT
                ? "%s timed out after %d ms"
                        .formatted(what, call.deadline().span().toMillis())
                : "%s was withdrawn: %s".formatted(what, reason.text());
        return Failure.of(reason.code(), message);
    }
}
