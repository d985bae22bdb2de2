package io.mcpbridge.translate;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** One request of a modern client, of the several that a call may take. Any thread. */
final class Leg {
    private final Call call;
    private final Reply reply;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private volatile Cancellation.Registration link = () -> {};

    Leg(Call call, Reply reply) {
        this.call = call;
        this.reply = reply;
    }

    Call call() {
        return call;
    }

    Reply reply() {
        return reply;
    }

    /** Tells {@code abandoned} when the client withdraws this request before its end. */
    void follow(Consumer<CancelReason> abandoned) {
        link = call.cancellation().onCancel(abandoned);
        if (isOver.get()) {
            link.remove();
        }
    }

    void end(Outcome outcome) {
        isOver.set(true);
        link.remove();
        reply.done(outcome);
    }

    /** Ends it because what it brings cannot be used. */
    void refuse(String why) {
        end(Outcome.failed(Failure.of(ErrorCode.INVALID_PARAMS, why)));
    }
}
