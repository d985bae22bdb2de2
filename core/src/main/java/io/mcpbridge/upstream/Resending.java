package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.TransportFailure;
import io.mcpbridge.upstream.introduction.EraMemory;
import java.util.function.Consumer;

/**
 * Sends calls once more that a server turned away because of what the bridge took for granted: a session, an era,
 * headers. A call for which that has happened already ends. Any thread; nothing here waits.
 */
final class Resending {
    private final UpstreamParts parts;
    private final EraMemory eras;
    private final ToolCallHeaders headers;
    private final Authorization authorization;

    Resending(UpstreamParts parts, EraMemory eras, ToolCallHeaders headers, Authorization authorization) {
        this.parts = parts;
        this.eras = eras;
        this.headers = headers;
        this.authorization = authorization;
    }

    /** Shows the server who calls. */
    Authorization authorization() {
        return authorization;
    }

    /** The server no longer knows the session in which this call was sent. */
    void sessionLost(SessionSlot slot, UpstreamSession session, Call call, Reply reply, Failure why) {
        slot.retire(session, why);
        sendAgain(slot, call, reply, why);
    }

    /** The server takes the session for one of another revision or era than it speaks now; it may answer other calls. */
    void misunderstood(SessionSlot slot, UpstreamSession session, Call call, Reply reply, Failure why) {
        eras.doubt();
        slot.outlive(session, why);
        sendAgain(slot, call, reply, why);
    }

    private void sendAgain(SessionSlot slot, Call call, Reply reply, Failure why) {
        if (reply instanceof Resent || !parts.reconnects() || mayHaveRun(why)) {
            reply.done(Outcome.failed(why));
            return;
        }
        slot.send(call, new Resent(reply));
    }

    /** The server found the headers of this call at odds with its body. */
    void misheaded(SessionSlot slot, Call call, Reply reply, Failure why) {
        if (reply instanceof Resent) {
            reply.done(Outcome.failed(why));
            return;
        }
        headers.learn(call, () -> slot.send(call, new Resent(reply)), unlisted -> reply.done(Outcome.failed(why)));
    }

    /** The server refused the credentials of this request, which is sent once more with others, if there are any. */
    void unauthorized(SessionSlot slot, Outgoing out, Reply reply, TransportFailure why, Consumer<Reply> again) {
        var refusal = why.failure().withServer(parts.name());
        if (reply instanceof Resent || mayHaveRun(refusal)) {
            reply.done(Outcome.failed(refusal));
        } else if (!authorization.isCurrent(out.headers(), slot.caller())) {
            again.accept(new Resent(reply));
        } else {
            authorization.renew(slot.caller(), why.challenge().orElse(""), problem -> {
                if (problem.isEmpty()) {
                    again.accept(new Resent(reply));
                } else {
                    reply.done(Outcome.failed(unrenewed(refusal, problem.get())));
                }
            });
        }
    }

    private static Failure unrenewed(Failure refusal, Throwable problem) {
        if (problem instanceof UnsupportedOperationException) {
            return refusal;
        }
        return refusal.withMessage("%s; %s".formatted(refusal.message(), problem.getMessage()))
                .withCause(problem);
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
