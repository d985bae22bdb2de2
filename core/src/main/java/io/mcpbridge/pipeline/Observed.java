package io.mcpbridge.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallStage;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** Tells the observers of a call's beginning, its attempts and its end. */
public final class Observed implements CallStage {
    private final List<CallObserver> observers;
    private final System.Logger logger;

    public Observed(List<CallObserver> observers, System.Logger logger) {
        this.observers = List.copyOf(observers);
        this.logger = logger;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        tell(observer -> observer.begun(call));
        var attempts = new AtomicInteger();
        next.handle(call.withAttemptListener(server -> attempted(call, server, attempts)), new Watched(call, reply));
    }

    private void attempted(Call call, String server, AtomicInteger attempts) {
        var number = attempts.incrementAndGet();
        tell(observer -> observer.attempted(call, server, number));
    }

    private void tell(Consumer<CallObserver> news) {
        for (var observer : observers) {
            try {
                news.accept(observer);
            } catch (RuntimeException defect) {
                // Whoever only watches must not cost a call its outcome.
                logger.log(System.Logger.Level.ERROR, "[mcp-bridge] an observer of calls failed", defect);
            }
        }
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
            tell(observer -> observer.ended(call, outcome));
            reply.done(outcome);
        }
    }
}
