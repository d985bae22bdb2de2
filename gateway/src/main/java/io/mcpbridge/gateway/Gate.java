package io.mcpbridge.gateway;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.CallStage;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/** Lets calls in while the daemon serves, and refuses new ones once it drains. Any thread. */
final class Gate implements CallStage {
    private final CallCount calls = new CallCount(this::signal);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();
    private final BiConsumer<Call, Failure> refused;
    private volatile boolean isShut;

    @GuardedBy("lock")
    private boolean isGivenUp;

    /** A gate that is open; {@code refused} hears of each call that it refuses later. */
    Gate(BiConsumer<Call, Failure> refused) {
        this.refused = refused;
    }

    @Override
    public void handle(Call call, Reply reply, Handler next) {
        // Counted before the look at the gate, so that whoever waits for the last call waits for this one too.
        calls.handle(call, reply, (counted, back) -> {
            if (isShut) {
                var refusal = refusal();
                refused.accept(call, refusal);
                back.done(Outcome.failed(refusal));
            } else {
                next.handle(counted, back);
            }
        });
    }

    int callsInFlight() {
        return calls.underWay();
    }

    boolean isShut() {
        return isShut;
    }

    /** Refuses every call from here on. */
    void shut() {
        isShut = true;
    }

    /** Waits until no call is in flight, or somebody gives up; false if {@code patience} ended first. */
    boolean awaitNone(Duration patience) throws InterruptedException {
        lock.lock();
        try {
            var nanos = patience.toNanos();
            while (calls.underWay() > 0 && !isGivenUp) {
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

    /** Lets nobody wait for calls any longer. */
    void giveUp() {
        lock.lock();
        try {
            isGivenUp = true;
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void signal() {
        if (!isShut) {
            return;
        }
        lock.lock();
        try {
            change.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static Failure refusal() {
        return Failure.of(
                ErrorCode.SHUTTING_DOWN,
                "the bridge is shutting down and takes no new calls; call again when it is back");
    }
}
