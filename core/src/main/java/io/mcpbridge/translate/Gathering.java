package io.mcpbridge.translate;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Waits a moment for questions that come together, so that their client is asked once for all of them. Any thread.
 *
 * <p>Each question that comes meanwhile makes the moment begin anew, but not for ever.
 */
final class Gathering {
    /** How long no question may come until those that came go out together. */
    static final Duration MOMENT = Duration.ofMillis(20);

    /** How often that begins anew while questions keep coming. */
    private static final int MOST_MOMENTS = 5;

    private final Timekeeper timekeeper;
    private final Runnable gathered;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private long arrived;

    @GuardedBy("lock")
    private int moments;

    /**
     * Makes one for a call that has no question yet.
     *
     * @param gathered runs when no more of them come for now
     */
    Gathering(Timekeeper timekeeper, Runnable gathered) {
        this.timekeeper = timekeeper;
        this.gathered = gathered;
    }

    /** A question has come, or is still there. */
    void arrived() {
        lock.lock();
        try {
            arrived++;
            if (moments == 0) {
                awaitMore();
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void awaitMore() {
        moments++;
        var before = arrived;
        timekeeper.schedule(MOMENT, () -> passed(before));
    }

    private void passed(long before) {
        lock.lock();
        try {
            if (arrived != before && moments < MOST_MOMENTS) {
                awaitMore();
                return;
            }
            moments = 0;
        } finally {
            lock.unlock();
        }
        gathered.run();
    }
}
