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

/**
 * Withdraws a call when its deadline comes. Whoever holds it then ends it, saying how far it got; should nobody
 * do so, this stage does.
 */
public final class OverallDeadline implements CallStage {

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var alarm = call.deadline().alarm(() -> expire(call, reply));
        next.handle(call, new Timed(reply, alarm));
    }

    private static void expire(Call call, Reply reply) {
        call.cancellation().cancel(CancelReason.TIMED_OUT);
        // Behind OneOutcome this is dropped whenever the holder has ended the call, as it should have.
        reply.done(Outcome.failed(timedOut(call).withDelivery(Delivery.UNKNOWN)));
    }

    private static Failure timedOut(Call call) {
        return Failure.of(
                ErrorCode.PROVIDER_TIMEOUT,
                "'%s' timed out after %d ms"
                        .formatted(
                                call.request().method(), call.deadline().span().toMillis()));
    }

    private record Timed(Reply reply, Timekeeper.Alarm alarm) implements Reply {

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            alarm.cancel();
            reply.done(outcome);
        }
    }
}
