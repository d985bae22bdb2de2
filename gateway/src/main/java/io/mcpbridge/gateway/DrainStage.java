package io.mcpbridge.gateway;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.InFlightCounter;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** A stage that passes calls on while the daemon serves and rejects new ones while it drains. Thread-safe. */
final class DrainStage implements CallStage {
    private final InFlightCounter calls = new InFlightCounter(this::checkIfDrained);
    /** Zero as soon as no call is in flight while it drains, or {@link #stopWaiting} was called. */
    private final CountDownLatch drained = new CountDownLatch(1);

    private final BiConsumer<Call, Failure> onRejected;
    private volatile boolean isDraining;

    /** @param onRejected receives each rejected call */
    DrainStage(BiConsumer<Call, Failure> onRejected) {
        this.onRejected = onRejected;
    }

    @Override
    public void handle(CallContext call, Next next) {
        // Counted before the check, so that awaitIdle waits for this call too.
        calls.enter(call);
        if (isDraining) {
            var rejection = rejection();
            onRejected.accept(call, rejection);
            call.complete(Outcome.failed(rejection));
        } else {
            next.handle(call);
        }
    }

    int callsInFlight() {
        return calls.underWay();
    }

    boolean isDraining() {
        return isDraining;
    }

    /** Rejects all further calls. */
    void startDraining() {
        isDraining = true;
        checkIfDrained();
    }

    /** Waits until no call is in flight or {@link #stopWaiting} is called; true if no call is in flight. */
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        var unused = drained.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        return calls.underWay() == 0;
    }

    /** Ends {@link #awaitIdle} early. */
    void stopWaiting() {
        drained.countDown();
    }

    private void checkIfDrained() {
        if (isDraining && calls.underWay() == 0) {
            drained.countDown();
        }
    }

    private static Failure rejection() {
        return Failure.of(
                ErrorCode.SHUTTING_DOWN,
                "the bridge is shutting down and takes no new calls; call again when it is back");
    }
}
