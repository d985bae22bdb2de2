package io.mcpbridge.gateway;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.InFlightCounter;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Next;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/** A stage that passes calls on while the daemon serves and rejects new ones while it drains. Thread-safe. */
final class DrainStage implements CallStage {
    private final InFlightCounter calls = new InFlightCounter(this::signal);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();
    private final BiConsumer<Call, Failure> onRejected;
    private volatile boolean isDraining;

    @GuardedBy("lock")
    private boolean isWaitStopped;

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
    }

    /** Waits until no call is in flight or {@link #stopWaiting} is called; true if no call is in flight. */
    boolean awaitIdle(Duration timeout) throws InterruptedException {
        lock.lock();
        try {
            var nanos = timeout.toNanos();
            while (calls.underWay() > 0 && !isWaitStopped) {
                if (nanos <= 0) {
                    return false;
                }
                nanos = change.awaitNanos(nanos);
            }
            return calls.underWay() == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Ends {@link #awaitIdle} early. */
    void stopWaiting() {
        lock.lock();
        try {
            isWaitStopped = true;
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        if (!isDraining) {
            return;
        }
        lock.lock();
        try {
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static Failure rejection() {
        return Failure.of(
                ErrorCode.SHUTTING_DOWN,
                "the bridge is shutting down and takes no new calls; call again when it is back");
    }
}
