package io.mcpbridge.routing;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallStage;
import java.util.Collection;
import java.util.List;

/** Tells the stages of a server how each attempt ended. */
final class AttemptEnds implements CallStage {
    private final List<CallStage> stages;

    AttemptEnds(Collection<CallStage> stages) {
        this.stages = List.copyOf(stages);
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        next.handle(call, new Told(call, reply));
    }

    private final class Told implements Reply {
        private final Call call;
        private final Reply reply;

        private Told(Call call, Reply reply) {
            this.call = call;
            this.reply = reply;
        }

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            stages.forEach(stage -> stage.attemptEnded(call, outcome));
            reply.done(outcome);
        }
    }
}
