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
 * The observers of one bridge. What an observer throws is logged and affects no call. Any thread; nothing here waits.
 *
 * @param observers receive each event in this order
 */
public record ObserverList(List<CallObserver> observers, System.Logger logger) {

    public ObserverList {
        observers = List.copyOf(observers);
    }

    /**
     * The stage in which calls are observed from their beginning to their outcome; none without observers.
     *
     * @param listed whether the tool or prompt that a call names is known from a list
     */
    public Optional<CallStage> stage(CallStart.Origin origin, Predicate<Call> listed) {
        if (observers.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of((call, next) -> {
            var start = new CallStart(call, origin, listed);
            var watch = new Watch(each(observers, CallTracer.NONE, observer -> observer.begun(start)));
            PipelineCall.of(call).watch(watch);
            call.onComplete(watch::ended);
            next.handle(call);
        });
    }

    /**
     * Observes a request of the bridge's own on its way to {@code server}. A stream that stays open for days is no request
     * in this sense.
     */
    public void watch(PipelineCall own, String server) {
        if (observers.isEmpty()
                || own.attempt() != AttemptTracer.NONE
                || own.request().method().equals(Methods.SUBSCRIPTIONS_LISTEN)) {
            return;
        }
        var attempt = new CallAttempt(own.request(), own.correlationId(), server, 1, () -> false);
        var watch = new WatchedAttempt(each(observers, AttemptTracer.NONE, observer -> observer.asked(attempt)));
        own.attempt(watch);
        own.onComplete(watch::ended);
    }

    /** A session has ended; {@code session} is asked only where there are observers. */
    public void ended(Supplier<EndedSession> session) {
        if (!observers.isEmpty()) {
            var ended = session.get();
            report(observers, observer -> observer.sessionEnded(ended));
        }
    }

    private <W, T> List<T> each(List<W> watches, T otherwise, Function<W, T> question) {
        return watches.stream().map(watch -> ask(watch, otherwise, question)).toList();
    }

    private <W> void report(List<W> watches, Consumer<W> event) {
        for (var watch : watches) {
            var unused = ask(watch, true, receiver -> {
                event.accept(receiver);
                return true;
            });
        }
    }

    private <W, T> T ask(W watch, T otherwise, Function<W, T> question) {
        try {
            return question.apply(watch);
        } catch (RuntimeException defect) {
            logger.log(System.Logger.Level.ERROR, "[mcp-bridge] an observer of calls failed", defect);
            return otherwise;
        }
    }

    /** One call under all observers; counts its attempts. */
    private final class Watch implements CallTracer {
        private final List<CallTracer> watches;
        private final AtomicInteger attempts = new AtomicInteger();

        private Watch(List<CallTracer> watches) {
            this.watches = watches;
        }

        @Override
        public AttemptTracer attempted(CallAttempt attempt) {
            var counted = attempt.withNumber(attempts.incrementAndGet());
            return new WatchedAttempt(each(watches, AttemptTracer.NONE, watch -> watch.attempted(counted)));
        }

        @Override
        public TraceParent trace() {
            for (var watch : watches) {
                var trace = ask(watch, TraceParent.NONE, CallTracer::trace);
                if (trace.isPresent()) {
                    return trace;
                }
            }
            return TraceParent.NONE;
        }

        @Override
        public void ended(Outcome outcome) {
            ObserverList.this.report(watches, watch -> watch.ended(outcome));
        }
    }

    /** One attempt under all observers. */
    private final class WatchedAttempt implements AttemptTracer {
        private final List<AttemptTracer> watches;

        private WatchedAttempt(List<AttemptTracer> watches) {
            this.watches = watches;
        }

        @Override
        public Additions sending(Sending sending) {
            var all = Additions.NONE;
            for (var watch : watches) {
                all = all.and(ask(watch, Additions.NONE, each -> each.sending(sending)));
            }
            return all;
        }

        @Override
        public void ended(Outcome outcome) {
            ObserverList.this.report(watches, watch -> watch.ended(outcome));
        }
    }
}
