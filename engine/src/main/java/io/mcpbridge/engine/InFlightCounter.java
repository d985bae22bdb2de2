package io.mcpbridge.engine;

import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import java.util.concurrent.atomic.AtomicInteger;

/** A stage that counts the calls in flight: those that passed it and have no outcome yet. Thread-safe. */
public final class InFlightCounter implements CallStage {
    private final AtomicInteger underWay = new AtomicInteger();
    private final Runnable whenNone;

    /** @param whenNone runs each time the count falls to zero */
    public InFlightCounter(Runnable whenNone) {
        this.whenNone = whenNone;
    }

    /** The number of calls in flight. */
    public int underWay() {
        return underWay.get();
    }

    @Override
    public void handle(CallContext call, Next next) {
        enter(call);
        next.handle(call);
    }

    /** Counts a call that another stage passes on. */
    public void enter(CallContext call) {
        underWay.incrementAndGet();
        // Counted down after the client has its response, so that nothing is closed before.
        call.afterComplete(this::leave);
    }

    private void leave() {
        if (underWay.decrementAndGet() == 0) {
            whenNone.run();
        }
    }
}
