package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.Transport;
import io.mcpbridge.upstream.admission.CallQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A request that was given to a transport and has no outcome yet. Whoever takes it out of the session's table
 * ends it, so it ends once.
 */
final class Flight {
    private static final String WITHDRAWN_MEANWHILE = "withdrawn while it was sent";

    /** Who has the request. */
    private enum Stage {
        /** Nobody else yet. */
        KEPT,
        /** The transport is being told. */
        HANDED_OVER,
        /** The transport has it. */
        SENT,
        /** The transport never gets it, or has to drop it. */
        WITHDRAWN
    }

    private final Call call;
    private final Reply reply;
    private final Outgoing outgoing;
    private final CallQueue.Place place;
    private final long begun;
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.KEPT);
    private volatile boolean written;
    private volatile Cancellation.@Nullable Registration link;

    /** @param begun when it began, on the session's clock */
    Flight(Call call, Reply reply, Outgoing outgoing, CallQueue.Place place, long begun) {
        this.call = call;
        this.reply = reply;
        this.outgoing = outgoing;
        this.place = place;
        this.begun = begun;
    }

    /** When it began, on the session's clock. */
    long begun() {
        return begun;
    }

    /** Whether it belongs to the session itself, such as its handshake, rather than to somebody who made a call. */
    boolean isOurOwn() {
        return place == CallQueue.Place.UNCOUNTED;
    }

    Call call() {
        return call;
    }

    /** Our name for the client whose call it is; the empty string for requests of the bridge's own. */
    String client() {
        return call.caller().session();
    }

    /** Later ones have higher numbers. */
    long number() {
        return ((Request) outgoing.message()).id().asLong().orElse(0);
    }

    Reply reply() {
        return reply;
    }

    Outgoing outgoing() {
        return outgoing;
    }

    /** Gives the request to the transport, unless it was withdrawn before. */
    void handOver(Transport transport) {
        if (!stage.compareAndSet(Stage.KEPT, Stage.HANDED_OVER)) {
            return;
        }
        transport.send(outgoing);
        if (!stage.compareAndSet(Stage.HANDED_OVER, Stage.SENT)) {
            // It was withdrawn meanwhile, perhaps before the transport knew it.
            transport.abandon(outgoing, WITHDRAWN_MEANWHILE);
        }
    }

    /** Takes the request back from the transport or cancels it there; tells how far it got. */
    Delivery withdraw(Transport transport, String reason) {
        if (stage.compareAndSet(Stage.KEPT, Stage.WITHDRAWN)) {
            return Delivery.NOT_SENT;
        }
        if (isHandshake()) {
            // The specification forbids to cancel it; the connection is given up instead.
            return Delivery.UNKNOWN;
        }
        if (transport.abandon(outgoing, reason)) {
            return Delivery.NOT_SENT;
        }
        if (!written && !stage.compareAndSet(Stage.HANDED_OVER, Stage.WITHDRAWN)) {
            transport.abandon(outgoing, reason);
        }
        return Delivery.UNKNOWN;
    }

    private boolean isHandshake() {
        return call.request().method().equals(Methods.INITIALIZE);
    }

    void markWritten() {
        written = true;
        place.leave();
    }

    void linkTo(Cancellation.Registration newLink) {
        link = newLink;
    }

    /** Lets go of the call's cancellation, which has nothing to cancel any more, and of its place in the queue. */
    void unlink() {
        place.leave();
        var current = link;
        if (current != null) {
            current.remove();
        }
    }

    /** How far the request got when nothing was heard of it. */
    Delivery deliveryWithoutAnswer() {
        return written ? Delivery.UNKNOWN : Delivery.NOT_SENT;
    }

    /** The failure with what this flight knows: a transport cannot take back that it began to write. */
    Failure judged(Failure failure) {
        var contradicts = written && failure.delivery() == Delivery.NOT_SENT;
        return contradicts ? failure.withDelivery(Delivery.UNKNOWN) : failure;
    }
}
