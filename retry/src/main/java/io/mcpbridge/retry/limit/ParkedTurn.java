package io.mcpbridge.retry.limit;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A call that waits for its turn. It is taken exactly once: to begin, or because it was withdrawn. Any thread. */
final class ParkedTurn {
    private final Call call;
    private final Reply reply;
    private final Handler next;
    private final AtomicBoolean isTaken = new AtomicBoolean();
    private volatile Cancellation.Registration link = () -> {};

    ParkedTurn(Call call, Reply reply, Handler next) {
        this.call = call;
        this.reply = reply;
        this.next = next;
    }

    Principal principal() {
        return call.caller().principal();
    }

    Duration remaining() {
        return call.deadline().remaining();
    }

    /** Ends it when it is withdrawn while it waits; {@code gone} hears that it is not in the queue any more. */
    void watch(String server, Runnable gone) {
        link = call.cancellation().onCancel(reason -> {
            if (isTaken.compareAndSet(false, true)) {
                gone.run();
                reply.done(Outcome.failed(withdrawn(server, reason)));
            }
        });
        if (isTaken.get()) {
            link.remove();
        }
    }

    /** Whether whoever asks has it now. */
    boolean take() {
        if (!isTaken.compareAndSet(false, true)) {
            return false;
        }
        link.remove();
        return true;
    }

    /** Ends it with {@code why}, unless it is taken by somebody else. */
    void refuse(Failure why) {
        if (take()) {
            reply.done(Outcome.failed(why));
        }
    }

    /** Passes it on; only for whoever has taken it. */
    void begin() {
        begin(call, reply);
    }

    /** The same, its outcome going through {@code watched}; {@code held} hears when it stands still meanwhile. */
    void begin(Reply watched, Consumer<Deadline> held) {
        begin(call.withDeadline(call.deadline().watched(held)), watched);
    }

    private void begin(Call begun, Reply watched) {
        try {
            next.handle(begun, watched);
        } catch (RuntimeException defect) {
            // Whoever hands out turns must not fail because of one of them.
            var words = "the bridge failed on this call: " + defect;
            watched.done(
                    Outcome.failed(Failure.of(ErrorCode.INTERNAL_ERROR, words).withCause(defect)));
        }
    }

    Reply reply() {
        return reply;
    }

    private Failure withdrawn(String server, CancelReason reason) {
        var words = "'%s' waited for its turn at server '%s' and was withdrawn: %s"
                .formatted(call.request().method(), server, reason.text());
        // Time that passed here says nothing of the server.
        var code = reason.code() == ErrorCode.PROVIDER_TIMEOUT ? ErrorCode.OVERLOADED : reason.code();
        return Failure.of(code, words).withServer(server);
    }
}
