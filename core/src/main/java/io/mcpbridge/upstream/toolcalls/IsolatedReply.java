package io.mcpbridge.upstream.toolcalls;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Tells a caller how a call ended that has a process for itself, and after that whoever ends the process. Any thread. */
final class IsolatedReply implements Reply {
    private final Reply reply;
    private final Timekeeper.Alarm limit;
    private final Consumer<Outcome> leave;
    private final AtomicBoolean isDone = new AtomicBoolean();

    /**
     * Makes it.
     *
     * @param limit what would end the call
     * @param leave hears the outcome after the caller
     */
    IsolatedReply(Reply reply, Timekeeper.Alarm limit, Consumer<Outcome> leave) {
        this.reply = reply;
        this.limit = limit;
        this.leave = leave;
    }

    /** Whether the process went down with the call, or spoke so that nothing more can be heard of it. */
    static boolean isLoss(Failure why) {
        return switch (why.code()) {
            case PROVIDER_CRASHED, PROVIDER_UNAVAILABLE, UPSTREAM_INVALID -> isOfTheCall(why);
            default -> false;
        };
    }

    @Override
    public void event(Message progressOrLog) {
        reply.event(progressOrLog);
    }

    /** The first outcome counts: whoever told it may fail afterwards, and tell that. */
    @Override
    public void done(Outcome outcome) {
        if (isDone.getAndSet(true)) {
            return;
        }
        limit.cancel();
        try {
            reply.done(outcome instanceof Outcome.Failed failed ? Outcome.failed(told(failed.failure())) : outcome);
        } finally {
            leave.accept(outcome);
        }
    }

    private static Failure told(Failure why) {
        if (why.code() == ErrorCode.PROVIDER_TIMEOUT) {
            return why.withMessage(why.message() + ", so its process was killed")
                    .withIsolated();
        }
        return isOfTheCall(why) ? why.withIsolated() : why;
    }

    /** Whether the call itself can be why; a process that was gone before the call reached it failed for all. */
    private static boolean isOfTheCall(Failure why) {
        return why.delivery() != Delivery.NOT_SENT && why.serverError().isEmpty();
    }
}
