package io.mcpbridge.sandbox.worker;

import java.time.Duration;

/**
 * The starts of workers that are under way, and the pauses between those that fail. Guarded by its owner's lock; starts
 * and further tries run on the pool's threads, without it.
 */
final class WorkerStarts {
    private static final Duration STARTED_WELL = Duration.ofSeconds(2);

    private final PoolThreads threads;
    private final Runnable start;
    private final Runnable again;
    private final Damper damper = new Damper();
    private int underWay;
    private boolean isAgainDue;

    /** @param again is run when the time for another try has come, and answers with {@link #retried} */
    WorkerStarts(PoolThreads threads, Runnable start, Runnable again) {
        this.threads = threads;
        this.start = start;
        this.again = again;
    }

    /** Begins as many as are missing, or fewer where starts fail, or none yet. */
    void order(int missing) {
        var rest = damper.rest();
        if (rest.toNanos() > 0) {
            orderIn(rest);
            return;
        }
        // As long as starts fail, one at a time is enough to see whether they still do.
        var many = damper.trouble().isEmpty() ? missing : Math.min(missing, 1 - underWay);
        for (int i = 0; i < many; i++) {
            if (!isBegun()) {
                return;
            }
        }
    }

    /** Whoever asks for workers is not to fail because there are no threads just now; the next try is a start that failed. */
    private boolean isBegun() {
        try {
            threads.run(start);
            underWay++;
            return true;
        } catch (OutOfMemoryError noThread) {
            damper.failed("no thread for it: " + noThread.getMessage());
            orderIn(damper.rest());
            return false;
        }
    }

    private void orderIn(Duration rest) {
        if (!isAgainDue) {
            isAgainDue = true;
            var unused = threads.later(rest, again);
        }
    }

    void retried() {
        isAgainDue = false;
    }

    /** One has ended. */
    void over() {
        underWay--;
    }

    /** It has brought a worker. */
    void succeeded() {
        damper.succeeded();
    }

    /** It has come to nothing. */
    void failed(String why) {
        damper.failed(why);
    }

    /** What one had brought has ended by itself: it had not started well if that was soon. */
    void endedUnused(Worker worker) {
        if (worker.age().compareTo(STARTED_WELL) < 0) {
            damper.failed("a worker ended before it had a call");
        }
    }

    int underWay() {
        return underWay;
    }

    /** Refuses a call that only a start could help while it is not yet the time for another try. */
    void requireHope() {
        if (damper.rest().toNanos() > 0) {
            throw Failures.cannotStart(damper.trouble());
        }
    }

    /** Why the last start failed; empty if it did not. */
    String trouble() {
        return damper.trouble();
    }
}
