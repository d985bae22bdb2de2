package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;
import io.mcpbridge.pipeline.Bystanders;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.upstream.health.Latencies;
import io.mcpbridge.upstream.seats.Occupant;
import java.time.Duration;
import java.util.function.Consumer;

/** Hears of the sessions of one slot. Never waits; any thread. */
final class SlotListener implements SessionListener {

    /** Takes what happens in the sessions of an upstream that concerns more than one call. */
    interface Unasked {

        /** The server left a call without an answer. */
        void unanswered(Failure why);

        Occupant occupant(SessionSlot slot);

        void beat(SessionSlot slot, Duration latency);

        void doubted(SessionSlot slot, String why);

        /** Where it is noted how long the server takes. */
        Latencies latencies();

        /** Who watches what belongs to no call. */
        Bystanders bystanders();

        void notified(SessionSlot slot, UpstreamSession session, Notification notification);

        /** It belongs to nobody; {@code what} describes it for the log. */
        void dropped(String what);
    }

    private final SessionSlot slot;
    private final Resending resending;
    private final ToolCallHeaders headers;
    private final Unasked unasked;

    SlotListener(SessionSlot slot, Resending resending, ToolCallHeaders headers, Unasked unasked) {
        this.slot = slot;
        this.resending = resending;
        this.headers = headers;
        this.unasked = unasked;
    }

    @Override
    public void closed(UpstreamSession session, Closed why) {
        slot.closed(session, why);
    }

    @Override
    public void sessionLost(UpstreamSession session, Call call, Reply reply, Failure why) {
        resending.sessionLost(slot, session, call, reply, why);
    }

    @Override
    public void misunderstood(UpstreamSession session, Call call, Reply reply, Failure why) {
        resending.misunderstood(slot, session, call, reply, why);
    }

    @Override
    public void misheaded(Call call, Reply reply, Failure why) {
        resending.misheaded(slot, call, reply, why);
    }

    @Override
    public void timedOut(Failure why) {
        unasked.unanswered(why);
    }

    @Override
    public void beat(Duration latency) {
        unasked.beat(slot, latency);
    }

    @Override
    public void doubted(String why) {
        unasked.doubted(slot, why);
    }

    @Override
    public void silent(UpstreamSession session, String why) {
        slot.abandon(session, Closed.disconnected(why));
    }

    @Override
    public Latencies latencies() {
        return unasked.latencies();
    }

    @Override
    public Bystanders bystanders() {
        return unasked.bystanders();
    }

    @Override
    public void unauthorized(Outgoing out, Call call, Reply reply, TransportFailure why) {
        unauthorized(out, reply, why, again -> slot.send(call, again));
    }

    @Override
    public void unauthorized(Outgoing out, Reply reply, TransportFailure why, Consumer<Reply> again) {
        resending.unauthorized(slot, out, reply, why, again);
    }

    @Override
    public Metadata authorized(Metadata bare) {
        return resending.authorization().with(bare, slot.caller());
    }

    @Override
    public Metadata headers(Call call) {
        return headers.of(call);
    }

    @Override
    public Occupant occupant() {
        return unasked.occupant(slot);
    }

    @Override
    public void notified(UpstreamSession session, Notification notification) {
        unasked.notified(slot, session, notification);
    }

    @Override
    public void dropped(String what) {
        unasked.dropped(what);
    }
}
