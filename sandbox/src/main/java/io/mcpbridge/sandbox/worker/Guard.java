package io.mcpbridge.sandbox.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Ends a worker in the middle of a call, for the first reason that comes, but not after the call. Any thread. */
final class Guard {
    private final AtomicReference<@Nullable Object> end = new AtomicReference<>();
    private final Worker worker;
    private final PoolThreads threads;

    Guard(Worker worker, PoolThreads threads) {
        this.worker = worker;
        this.threads = threads;
    }

    /** Ends the worker, unless the call has ended; does not wait. */
    void cut(Cut why) {
        if (end.compareAndSet(null, why)) {
            threads.run(worker::kill);
        }
    }

    /** Cuts it short in a while, unless that is cancelled. */
    Future<?> cutAfter(Duration time) {
        return threads.later(time, () -> cut(Cut.TIMED_OUT));
    }

    /** The call has ended by itself, and the worker is not touched any more; false if it was cut before. */
    boolean finish() {
        return end.compareAndSet(null, this);
    }

    /** Why it was cut. */
    Optional<Cut> cut() {
        return end.get() instanceof Cut why ? Optional.of(why) : Optional.empty();
    }
}
