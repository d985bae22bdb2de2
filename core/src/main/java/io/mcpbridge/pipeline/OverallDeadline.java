package io.mcpbridge.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Withdraws a call when its deadline comes. Whoever holds it then ends it, saying how far it got; should nobody
 * do so, this stage does.
 */
public final class OverallDeadline implements CallStage {

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var timed = new Timed(reply);
        timed.alarm = call.deadline().alarm(() -> expire(call, timed));
        next.handle(call, timed);
    }

    private static void expire(Call call, Reply timed) {
        call.cancellation().cancel(CancelReason.TIMED_OUT);
        // Without effect whenever the holder has ended the call, as it should have.
        timed.done(Outcome.failed(timedOut(call).withDelivery(Delivery.UNKNOWN)));
    }

    private static Failure timedOut(Call call) {
        return Failure.of(
                ErrorCode.PROVIDER_TIMEOUT,
                "'%s' timed out after %d ms"
                        .formatted(
                                call.request().method(), call.deadline().span().toMillis()));
    }

    /** Passes on the first end, whether the holder tells it or the alarm, and none after it. */
    private static final class Timed implements Reply {
        private final Reply reply;
        private final AtomicBoolean isDone = new AtomicBoolean();
        private volatile Timekeeper.Alarm alarm = () -> {};

        private Timed(Reply reply) {
            this.reply = reply;
        }

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            if (isDone.compareAndSet(false, true)) {
                alarm.cancel();
                reply.done(outcome);
            }
        }
    }
}
