package io.mcpbridge.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallStage;
import java.time.Duration;
import java.util.function.Function;

/**
 * Gives each attempt a deadline of its own, no later than the call's. Stands within the attempts, whose
 * cancellation it uses; whoever holds the attempt then ends it.
 */
public final class AttemptDeadline implements CallStage {
    private final Function<Call, Duration> timeout;

    /**
     * Makes the stage.
     *
     * @param timeout how long an attempt of a call may take
     */
    public AttemptDeadline(Function<Call, Duration> timeout) {
        this.timeout = timeout;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var deadline = call.deadline().within(timeout.apply(call));
        if (deadline == call.deadline()) {
            next.handle(call, reply);
            return;
        }
        var timed = call.withDeadline(deadline);
        var alarm = deadline.alarm(() -> timed.cancellation().cancel(CancelReason.TIMED_OUT));
        next.handle(timed, new Timed(reply, alarm));
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
