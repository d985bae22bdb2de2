package io.mcpbridge;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BiConsumer;

/** Lets a thread of the front door wait for an outcome that comes from inside. */
final class Wait {

    private Wait() {}

    /** Hands {@code call} to {@code handler} and waits until it ends, by its deadline at the latest. */
    static Outcome forOutcome(Call call, BiConsumer<Call, Reply> handler) throws InterruptedException {
        var outcome = new CompletableFuture<Outcome>();
        var alarm = call.deadline().alarm(() -> call.cancellation().cancel(CancelReason.TIMED_OUT));
        try {
            handler.accept(call, new Reply() {
                @Override
                public void event(Message progressOrLog) {}

                @Override
                public void done(Outcome ended) {
                    outcome.complete(ended);
                }
            });
            return outcome.get();
        } catch (InterruptedException interrupted) {
            call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
            throw interrupted;
        } catch (ExecutionException impossible) {
            throw new IllegalStateException("an outcome is never an exception", impossible);
        } finally {
            alarm.cancel();
        }
    }

    /** The failure, if it is one. */
    static Optional<Failure> failure(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed ? Optional.of(failed.failure()) : Optional.empty();
    }
}
