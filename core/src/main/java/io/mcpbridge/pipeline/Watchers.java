package io.mcpbridge.pipeline;

import io.mcpbridge.call.Additions;
import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.CallAttempt;
import io.mcpbridge.call.CallStart;
import io.mcpbridge.call.CallWatch;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Sending;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.spi.CallObserver;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** Everybody who watches one call. Counts its attempts, and lets nobody's defect cost the call its outcome. */
final class Watchers implements CallWatch {
    private final List<CallWatch> watches;
    private final System.Logger logger;
    private final AtomicInteger attempts = new AtomicInteger();

    private Watchers(List<CallWatch> watches, System.Logger logger) {
        this.watches = watches;
        this.logger = logger;
    }

    static CallWatch begun(List<CallObserver> observers, CallStart start, System.Logger logger) {
        var watches = observers.stream()
                .map(observer -> asked(logger, CallWatch.NONE, observer, each -> each.begun(start)))
                .toList();
        return new Watchers(watches, logger);
    }

    @Override
    public AttemptWatch attempted(CallAttempt attempt) {
        var counted = attempt.withNumber(attempts.incrementAndGet());
        return ofAttempt(watches, watch -> watch.attempted(counted), logger);
    }

    @Override
    public TraceParent trace() {
        for (var watch : watches) {
            var trace = asked(logger, TraceParent.NONE, watch, CallWatch::trace);
            if (trace.isPresent()) {
                return trace;
            }
        }
        return TraceParent.NONE;
    }

    @Override
    public void ended(Outcome outcome) {
        watches.forEach(watch -> told(logger, watch, each -> each.ended(outcome)));
    }

    /** Everybody who watches one attempt, as each of {@code those} begins to. */
    static <W> AttemptWatch ofAttempt(List<W> those, Function<W, AttemptWatch> beginning, System.Logger logger) {
        var each = those.stream()
                .map(one -> asked(logger, AttemptWatch.NONE, one, beginning))
                .toList();
        return new OfAttempt(each, logger);
    }

    /** Everybody who watches one attempt. */
    private record OfAttempt(List<AttemptWatch> watches, System.Logger logger) implements AttemptWatch {

        @Override
        public Additions sending(Sending sending) {
            var all = Additions.NONE;
            for (var watch : watches) {
                all = all.and(asked(logger, Additions.NONE, watch, each -> each.sending(sending)));
            }
            return all;
        }

        @Override
        public void ended(Outcome outcome) {
            watches.forEach(watch -> told(logger, watch, each -> each.ended(outcome)));
        }
    }

    static <W> void told(System.Logger logger, W watch, Consumer<W> news) {
        var unused = asked(logger, true, watch, each -> {
            news.accept(each);
            return true;
        });
    }

    private static <W, T> T asked(System.Logger logger, T otherwise, W watch, Function<W, T> question) {
        try {
            return question.apply(watch);
        } catch (RuntimeException defect) {
            logger.log(System.Logger.Level.ERROR, "[mcp-bridge] an observer of calls failed", defect);
            return otherwise;
        }
    }
}
