package io.mcpbridge.gateway;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the calls that passed here and have no outcome yet. Any thread. */
final class CallCount implements CallStage {
    private final AtomicInteger underWay = new AtomicInteger();
    private final Runnable whenNone;

    /** A count that runs {@code whenNone} each time the last call has ended. */
    CallCount(Runnable whenNone) {
        this.whenNone = whenNone;
    }

    int underWay() {
        return underWay.get();
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        underWay.incrementAndGet();
        var counted = new Counted(reply);
        try {
            next.handle(call, counted);
        } catch (RuntimeException bug) {
            counted.leave();
            throw bug;
        }
    }

    private final class Counted implements Reply {
        private final Reply reply;
        private final AtomicBoolean hasLeft = new AtomicBoolean();

        private Counted(Reply reply) {
            this.reply = reply;
        }

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            reply.done(outcome);
            leave();
        }

        /** It leaves once, by its end or by what a stage throws. */
        private void leave() {
            if (hasLeft.compareAndSet(false, true) && underWay.decrementAndGet() == 0) {
                whenNone.run();
            }
        }
    }
}
