package io.mcpbridge.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallStage;
import java.util.List;

/** Tells the observers of a call's beginning and end. */
public final class Observed implements CallStage {
    private final List<CallObserver> observers;

    public Observed(List<CallObserver> observers) {
        this.observers = List.copyOf(observers);
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        observers.forEach(observer -> observer.begun(call));
        next.handle(call, new Watched(call, reply));
    }

    private final class Watched implements Reply {
        private final Call call;
        private final Reply reply;

        private Watched(Call call, Reply reply) {
            this.call = call;
            this.reply = reply;
        }

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            observers.forEach(observer -> observer.ended(call, outcome));
            reply.done(outcome);
        }
    }
}
