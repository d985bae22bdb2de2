package io.mcpbridge.pipeline;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallStart;
import io.mcpbridge.call.CallWatch;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.message.Message;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallStage;
import java.util.List;
import java.util.function.Predicate;

/** Has the observers watch each call, from its beginning to its outcome. */
public final class Observed implements CallStage {
    private final List<CallObserver> observers;
    private final CallStart.Origin origin;
    private final Predicate<Call> listed;
    private final System.Logger logger;

    private Observed(
            List<CallObserver> observers, CallStart.Origin origin, Predicate<Call> listed, System.Logger logger) {
        this.observers = List.copyOf(observers);
        this.origin = origin;
        this.listed = listed;
        this.logger = logger;
    }

    /**
     * The stage, or none where nobody observes.
     *
     * @param listed whether the tool or prompt that a call names is known from a list
     */
    public static List<CallStage> by(
            List<CallObserver> observers, CallStart.Origin origin, Predicate<Call> listed, System.Logger logger) {
        return observers.isEmpty() ? List.of() : List.of(new Observed(observers, origin, listed, logger));
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        var watch = Watchers.begun(observers, CallStart.of(call, origin, listed), logger);
        next.handle(call.withWatch(watch), new Watched(watch, reply));
    }

    private record Watched(CallWatch watch, Reply reply) implements Reply {

        @Override
        public void event(Message progressOrLog) {
            reply.event(progressOrLog);
        }

        @Override
        public void done(Outcome outcome) {
            watch.ended(outcome);
            reply.done(outcome);
        }
    }
}
