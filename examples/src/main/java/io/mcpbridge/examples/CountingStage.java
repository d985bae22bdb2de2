package io.mcpbridge.examples;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import java.util.concurrent.atomic.LongAdder;

/**
 * A call stage of a plug-in that counts failures and notifications.
 *
 * @param failures calls that ended without a response
 * @param notifications progress and log notifications of calls
 */
public record CountingStage(LongAdder failures, LongAdder notifications) implements CallStage {

    @Override
    public void handle(CallContext call, Next next) {
        call.onEvent(progressOrLog -> notifications.increment());
        call.onComplete(outcome -> failures.add(outcome instanceof Outcome.Failed ? 1 : 0));
        next.handle(call);
    }
}
