package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;

/**
 * Cancels a call at its deadline. The stage or connection that holds the call then ends it and reports its delivery; if
 * none does, this stage ends it.
 */
public final class DeadlineStage implements CallStage {

    @Override
    public void handle(CallContext call, Next next) {
        var alarm = call.deadline().alarm(() -> expire(call));
        call.onComplete(outcome -> alarm.cancel());
        next.handle(call);
    }

    private static void expire(CallContext call) {
        call.cancellation().cancel(CancelReason.TIMED_OUT);
        // Has no effect if the holder has ended the call, as it should.
        call.complete(Outcome.failed(timedOut(call).withDelivery(Delivery.UNKNOWN)));
    }

    private static Failure timedOut(CallContext call) {
        return Failure.of(
                ErrorCode.PROVIDER_TIMEOUT,
                "'%s' timed out after %d ms"
                        .formatted(
                                call.request().method(), call.deadline().span().toMillis()));
    }
}
