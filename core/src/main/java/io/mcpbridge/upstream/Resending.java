package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.upstream.introduction.EraMemory;

/**
 * Sends calls once more that a server turned away because of what the bridge took for granted: a session, an era,
 * headers. A call for which that has happened already ends. Any thread; nothing here waits.
 */
final class Resending {
    private final UpstreamParts parts;
    private final EraMemory eras;
    private final ToolCallHeaders headers;

    Resending(UpstreamParts parts, EraMemory eras, ToolCallHeaders headers) {
        this.parts = parts;
        this.eras = eras;
        this.headers = headers;
    }

    /** The server no longer knows the session in which this call was sent. */
    void sessionLost(SessionSlot slot, UpstreamSession session, Call call, Reply reply, Failure why) {
        slot.retire(session, why);
        if (reply instanceof Resent || !parts.reconnects() || mayHaveRun(why)) {
            reply.done(Outcome.failed(why));
            return;
        }
        slot.send(call, new Resent(reply));
    }

    /** The server takes the session for one of another revision or era than it speaks now. */
    void misunderstood(SessionSlot slot, UpstreamSession session, Call call, Reply reply, Failure why) {
        eras.doubt();
        sessionLost(slot, session, call, reply, why);
    }

    /** The server found the headers of this call at odds with its body. */
    void misheaded(SessionSlot slot, Call call, Reply reply, Failure why) {
        if (reply instanceof Resent) {
            reply.done(Outcome.failed(why));
            return;
        }
        headers.learn(call, () -> slot.send(call, new Resent(reply)), unlisted -> reply.done(Outcome.failed(why)));
    }

    private static boolean mayHaveRun(Failure why) {
        return why.delivery() != Delivery.REJECTED && why.delivery() != Delivery.NOT_SENT;
    }

    /** Marks a call that was sent once more; that happens once. */
    private record Resent(Reply reply) implements Reply {

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            reply.done(outcome);
        }
    }
}
