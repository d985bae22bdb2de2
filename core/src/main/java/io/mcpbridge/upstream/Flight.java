package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Outgoing;
import org.jspecify.annotations.Nullable;

/**
 * A request that was given to a transport and has no outcome yet. Whoever takes it out of the session's table
 * ends it, so it ends once.
 */
final class Flight {
    private final Call call;
    private final Reply reply;
    private final Outgoing outgoing;
    private volatile boolean written;
    private volatile Cancellation.@Nullable Registration link;

    Flight(Call call, Reply reply, Outgoing outgoing) {
        this.call = call;
        this.reply = reply;
        this.outgoing = outgoing;
    }

    Call call() {
        return call;
    }

    Reply reply() {
        return reply;
    }

    Outgoing outgoing() {
        return outgoing;
    }

    void markWritten() {
        written = true;
    }

    void linkTo(Cancellation.Registration newLink) {
        link = newLink;
    }

    /** Lets go of the call's cancellation, which has nothing to cancel any more. */
    void unlink() {
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
