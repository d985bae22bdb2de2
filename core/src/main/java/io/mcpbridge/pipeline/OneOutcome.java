package io.mcpbridge.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallStage;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Lets exactly one outcome through, and turns what a stage throws into one. Stands outermost.
 */
public final class OneOutcome implements CallStage {
    private final System.Logger logger;

    public OneOutcome(System.Logger logger) {
        this.logger = logger;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var once = new Once(reply);
        try {
            next.handle(call, once);
        } catch (RuntimeException bug) {
            // A stage must not throw; if a plug-in does, its caller still gets the one outcome.
            logger.log(System.Logger.Level.ERROR, "[mcp-bridge] call " + call.correlationId() + " met a defect", bug);
            once.done(Outcome.failed(Failure.of(ErrorCode.INTERNAL_ERROR, "the bridge failed on this call: " + bug)
                    .withCause(bug)));
        }
    }

    private static final class Once implements Reply {
        private final Reply reply;
        private final AtomicBoolean isDone = new AtomicBoolean();

        private Once(Reply reply) {
            this.reply = reply;
        }

        @Override
        public void event(Message progressOrLog) {
            if (!isDone.get()) {
                reply.event(progressOrLog);
            }
        }

        @Override
        public void done(Outcome outcome) {
            if (isDone.compareAndSet(false, true)) {
                reply.done(outcome);
            }
        }
    }
}
