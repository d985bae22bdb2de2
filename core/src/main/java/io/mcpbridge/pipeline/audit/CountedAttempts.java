package io.mcpbridge.pipeline.audit;

import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.CallAttempt;
import io.mcpbridge.call.CallWatch;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.TraceParent;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts how often a server is tried for one call, and lets everybody else watch as before. Any thread. */
final class CountedAttempts implements CallWatch {
    private final CallWatch others;
    private final AtomicInteger attempts = new AtomicInteger();

    CountedAttempts(CallWatch others) {
        this.others = others;
    }

    int attempts() {
        return attempts.get();
    }

    @Override
    public AttemptWatch attempted(CallAttempt attempt) {
        attempts.incrementAndGet();
        return others.attempted(attempt);
    }

    @Override
    public TraceParent trace() {
        return others.trace();
    }

    @Override
    public void ended(Outcome outcome) {
        others.ended(outcome);
    }
}
