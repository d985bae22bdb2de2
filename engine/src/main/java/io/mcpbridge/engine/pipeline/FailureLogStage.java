package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import java.util.function.BiConsumer;

/**
 * Logs the failures of tool calls that no later stage has logged: of calls that the bridge rejects, and of those that end
 * between two attempts. A call that its caller withdraws has not failed.
 *
 * @param log logs one failure; any thread
 */
public record FailureLogStage(BiConsumer<Call, Failure> log) implements CallStage {

    @Override
    public void handle(CallContext call, Next next) {
        if (call.request().method().equals(Methods.TOOLS_CALL)) {
            var own = PipelineCall.of(call);
            own.onComplete(outcome -> {
                if (outcome instanceof Outcome.Failed failed) {
                    ended(own, failed.failure());
                }
            });
        }
        next.handle(call);
    }

    private void ended(PipelineCall call, Failure why) {
        if (why.origin() != ErrorCode.CANCELLED && !call.isLogged()) {
            call.markLogged();
            log.accept(call, why);
        }
    }
}
