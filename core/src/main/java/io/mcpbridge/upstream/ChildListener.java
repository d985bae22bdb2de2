package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.pipeline.Bystanders;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.upstream.health.Latencies;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.seats.Occupant;
import java.time.Duration;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hears of one session that is there for one call. What the server says there of its lists and its resources holds for
 * that process alone, which is gone before anybody could ask, so nobody is told. Never waits; any thread.
 */
final class ChildListener implements SessionListener {
    private final SlotListener.Unasked unasked;
    private final EraMemory eras;
    private final BiConsumer<UpstreamSession, Closed> onClosed;
    private volatile @Nullable Caller served;
    private volatile boolean hasOtherTools;

    /** @param onClosed hears once how the session ended */
    ChildListener(SlotListener.Unasked unasked, EraMemory eras, BiConsumer<UpstreamSession, Closed> onClosed) {
        this.unasked = unasked;
        this.eras = eras;
        this.onClosed = onClosed;
    }

    /** The call of this caller has begun. */
    void serve(Caller caller) {
        served = caller;
    }

    /** Whether the process has said that its tools are others than it listed. */
    boolean hasOtherTools() {
        return hasOtherTools;
    }

    @Override
    public void closed(UpstreamSession session, Closed why) {
        onClosed.accept(session, why);
    }

    @Override
    public void sessionLost(UpstreamSession session, Call call, Reply reply, Failure why) {
        reply.done(Outcome.failed(why));
    }

    /** The next process is asked for its era; whether the call is repeated there is a matter of the retries. */
    @Override
    public void misunderstood(UpstreamSession session, Call call, Reply reply, Failure why) {
        eras.doubt();
        reply.done(Outcome.failed(why));
    }

    @Override
    public void misheaded(Call call, Reply reply, Failure why) {
        reply.done(Outcome.failed(why));
    }

    @Override
    public void timedOut(Failure why) {
        unasked.unanswered(why);
    }

    @Override
    public void beat(Duration latency) {}

    @Override
    public void doubted(String why) {}

    @Override
    public void silent(UpstreamSession session, String why) {}

    @Override
    public Latencies latencies() {
        return unasked.latencies();
    }

    @Override
    public void unauthorized(Outgoing out, Call call, Reply reply, TransportFailure why) {
        reply.done(Outcome.failed(why.failure()));
    }

    @Override
    public void unauthorized(Outgoing out, Reply reply, TransportFailure why, Consumer<Reply> again) {
        reply.done(Outcome.failed(why.failure()));
    }

    @Override
    public Metadata authorized(Metadata headers) {
        return headers;
    }

    @Override
    public Metadata headers(Call call) {
        return call.metadata();
    }

    @Override
    public Bystanders bystanders() {
        return unasked.bystanders();
    }

    @Override
    public Occupant occupant() {
        var caller = served;
        return caller == null ? Occupant.ofNoCallYet() : Occupant.ofCall(caller);
    }

    @Override
    public void notified(UpstreamSession session, Notification notification) {
        if (notification.method().equals(Methods.TOOLS_LIST_CHANGED)) {
            hasOtherTools = true;
        }
    }

    @Override
    public void dropped(String what) {
        unasked.dropped(what);
    }
}
