package io.mcpbridge.upstream.toolcalls;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Part;
import io.mcpbridge.message.Response;
import io.mcpbridge.upstream.isolation.ChildPool;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One call in the process that it has for itself: sends it there within the time that its tool may take, and says what
 * becomes of the process once the caller was told. Used once; any thread, and nothing waits.
 *
 * @param unanswered hears of calls that were lost with their process
 */
record IsolatedRun(
        IsolatedErrand errand, IsolatedChild child, ChildPool<IsolatedChild> pool, Consumer<Failure> unanswered) {
    /** How long the process of a modern server is kept for the next round of its call. */
    static final Duration KEPT = Duration.ofMinutes(10);

    private static final String INPUT_REQUIRED = "input_required";

    void begin(Duration maxExecution) {
        var call = errand.call();
        var limited = limited(call, maxExecution);
        var reply = new IsolatedReply(errand.queued().reply(), alarm(limited, call), outcome -> {
            note(outcome);
            leave(outcome);
        });
        try {
            child.serve(limited, reply, errand.queued().place());
        } catch (RuntimeException defect) {
            errand.queued().place().leave();
            reply.done(Outcome.failed(
                    Failure.of(ErrorCode.INTERNAL_ERROR, "the call could not be sent to the server: " + defect)
                            .withServer(errand.queued().server())
                            .withCause(defect)));
        }
    }

    private static Call limited(Call call, Duration maxExecution) {
        var deadline = call.deadline().within(maxExecution);
        return deadline == call.deadline() ? call : call.withDeadline(deadline);
    }

    /** Where the call's own deadline comes first, whoever set it withdraws the call then. */
    private static Timekeeper.Alarm alarm(Call limited, Call call) {
        return limited == call
                ? () -> {}
                : limited.deadline().alarm(() -> limited.cancellation().cancel(CancelReason.TIMED_OUT));
    }

    /** Shows operators what a call ended with; of those that took too long the session has told. */
    private void note(Outcome outcome) {
        if (outcome instanceof Outcome.Failed failed && IsolatedReply.isLoss(failed.failure())) {
            unanswered.accept(failed.failure());
        }
    }

    /** Without an answer the server may be at the call still. */
    private void leave(Outcome outcome) {
        if (!(outcome instanceof Outcome.Answered answered)) {
            pool.kill(child);
            return;
        }
        pool.worked(child);
        var state = nextRound(answered.response());
        if (state.isPresent()) {
            pool.keep(child, errand.round(state.get()), KEPT);
        } else {
            pool.release(child);
        }
    }

    private static Optional<String> nextRound(Response response) {
        return response.text(Part.RESULT_TYPE)
                .filter(INPUT_REQUIRED::equals)
                .flatMap(type -> response.text(Part.RESULT_STATE));
    }
}
