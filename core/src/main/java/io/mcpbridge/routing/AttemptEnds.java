package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallStage;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Tells the stages of a server how each attempt ended. */
final class AttemptEnds implements CallStage {
    private final List<CallStage> stages;
    private final Timekeeper timekeeper;

    AttemptEnds(Collection<CallStage> stages, Timekeeper timekeeper) {
        this.stages = List.copyOf(stages);
        this.timekeeper = timekeeper;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        next.handle(call, new Told(call, reply, timekeeper.nanoTime()));
    }

    private final class Told implements Reply {
        private final Call call;
        private final Reply reply;
        private final long begun;

        private Told(Call call, Reply reply, long begun) {
            this.call = call;
            this.reply = reply;
            this.begun = begun;
        }

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            var took = Duration.ofNanos(timekeeper.nanoTime() - begun);
            stages.forEach(stage -> stage.attemptEnded(call, outcome, took));
            reply.done(outcome);
        }
    }
}
