package io.mcpbridge.engine.pipeline;

import io.mcpbridge.call.AttemptTracer;
import io.mcpbridge.call.AttemptTracer.Additions;
import io.mcpbridge.call.AttemptTracer.Sending;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallTracer;
import io.mcpbridge.call.CallTracer.CallAttempt;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallObserver.CallStart;
import io.mcpbridge.spi.CallObserver.EndedSession;
import io.mcpbridge.spi.CallStage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * The observers of one bridge, called in order. Logs an exception of an observer, which affects no call. Any thread;
 * never waits.
 *
 * @param observers receive each event in this order
 */
public record ObserverList(List<CallObserver> observers, System.Logger logger) {

    public ObserverList {
        observers = List.copyOf(observers);
    }

    /**
     * Returns the stage that observes calls from their start to their outcome; empty without observers.
     *
     * @param listed whether the tool or prompt that a call names is known from a list
     */
    public Optional<CallStage> stage(CallStart.Origin origin, Predicate<Call> listed) {
        if (observers.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of((call, next) -> {
            var start = new CallStart(call, origin, listed);
            var tracer = new CompositeCallTracer(each(observers, CallTracer.NONE, observer -> observer.begun(start)));
            PipelineCall.of(call).watch(tracer);
            call.onComplete(tracer::ended);
            next.handle(call);
        });
    }

    /**
     * Observes one of the bridge's own requests to {@code server}. Ignores {@code subscriptions/listen}, whose stream
     * stays open.
     */
    public void watch(PipelineCall own, String server) {
        if (observers.isEmpty()
                || own.attemptTracer() != AttemptTracer.NONE
                || own.request().method().equals(Methods.SUBSCRIPTIONS_LISTEN)) {
            return;
        }
        var attempt = new CallAttempt(own.request(), own.correlationId(), server, 1, () -> false);
        var tracer = new CompositeAttemptTracer(each(
                observers,
                AttemptTracer.NONE,
                observer -> observer.asked(attempt, own.caller().trace())));
        own.attempt(tracer);
        own.onComplete(tracer::ended);
    }

    /** The trace of the embedding program on the current thread, from the first observer that knows one. */
    public TraceParent programTrace() {
        return firstTrace(observers, CallObserver::programTrace);
    }

    private <W> TraceParent firstTrace(List<W> sources, Function<W, TraceParent> question) {
        for (var source : sources) {
            var trace = ask(source, TraceParent.NONE, question);
            if (trace.isPresent()) {
                return trace;
            }
        }
        return TraceParent.NONE;
    }

    /** Reports the end of a session; {@code session} is called only if observers exist. */
    public void ended(Supplier<EndedSession> session) {
        if (!observers.isEmpty()) {
            var ended = session.get();
            report(observers, observer -> observer.sessionEnded(ended));
        }
    }

    private <W, T> List<T> each(List<W> tracers, T otherwise, Function<W, T> question) {
        return tracers.stream().map(tracer -> ask(tracer, otherwise, question)).toList();
    }

    private <W> void report(List<W> tracers, Consumer<W> event) {
        for (var tracer : tracers) {
            var unused = ask(tracer, true, receiver -> {
                event.accept(receiver);
                return true;
            });
        }
    }

    private <W, T> T ask(W receiver, T otherwise, Function<W, T> question) {
        try {
            return question.apply(receiver);
        } catch (RuntimeException defect) {
            logger.log(System.Logger.Level.ERROR, "[mcp-bridge] an observer of calls failed", defect);
            return otherwise;
        }
    }

    /** Passes the events of one call to all observers and counts its attempts. */
    private final class CompositeCallTracer implements CallTracer {
        private final List<CallTracer> tracers;
        private final AtomicInteger attempts = new AtomicInteger();

        private CompositeCallTracer(List<CallTracer> tracers) {
            this.tracers = tracers;
        }

        @Override
        public AttemptTracer attempted(CallAttempt attempt) {
            var counted = attempt.withNumber(attempts.incrementAndGet());
            return new CompositeAttemptTracer(each(tracers, AttemptTracer.NONE, tracer -> tracer.attempted(counted)));
        }

        @Override
        public TraceParent trace() {
            return firstTrace(tracers, CallTracer::trace);
        }

        @Override
        public void ended(Outcome outcome) {
            ObserverList.this.report(tracers, tracer -> tracer.ended(outcome));
        }
    }

    /** Passes the events of one attempt to all observers. */
    private final class CompositeAttemptTracer implements AttemptTracer {
        private final List<AttemptTracer> tracers;

        private CompositeAttemptTracer(List<AttemptTracer> tracers) {
            this.tracers = tracers;
        }

        @Override
        public Additions sending(Sending sending) {
            var all = Additions.NONE;
            for (var tracer : tracers) {
                all = all.and(ask(tracer, Additions.NONE, each -> each.sending(sending)));
            }
            return all;
        }

        @Override
        public void ended(Outcome outcome) {
            ObserverList.this.report(tracers, tracer -> tracer.ended(outcome));
        }
    }
}
