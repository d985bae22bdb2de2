package io.mcpbridge.upstream.admission;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.SingleEnd;
import io.mcpbridge.failure.Failure;
import java.util.function.Function;

/**
 * A call that waits for its session, or for its process, with the one place that it has in its server's
 * {@link CallQueue}. Whoever {@linkplain #claim claims} it goes on with it or ends it. Any thread; nothing waits.
 */
public final class QueuedCall {
    private final String server;
    private final Call call;
    private final Reply reply;
    private final CallQueue.Place place;
    private final SingleEnd end = new SingleEnd();

    /** A call that waits from here on. */
    public QueuedCall(String server, Call call, Reply reply, CallQueue.Place place) {
        this.server = server;
        this.call = call;
        this.reply = reply;
        this.place = place;
    }

    public String server() {
        return server;
    }

    public Call call() {
        return call;
    }

    public Reply reply() {
        return reply;
    }

    public CallQueue.Place place() {
        return place;
    }

    /**
     * Ends the call when it is withdrawn while it waits.
     *
     * @param forget makes whoever keeps it forget it
     * @param told what it is told then
     */
    public void watch(Runnable forget, Function<CancelReason, Failure> told) {
        if (end.isOver()) {
            return;
        }
        var link = call.cancellation().onCancel(reason -> {
            if (claim()) {
                forget.run();
                end(told.apply(reason));
            }
        });
        end.releasing(link::remove);
    }

    /** Whether it is the asker's from here on, since nobody else has claimed it. */
    public boolean claim() {
        return end.end();
    }

    /** Ends it unless somebody has claimed it. */
    public void fail(Failure why) {
        if (claim()) {
            end(why);
        }
    }

    /** Ends it, which is for whoever has claimed it, without having been sent. */
    public void end(Failure why) {
        place.leave();
        reply.done(Outcome.failed(why.withServer(server)));
    }
}
