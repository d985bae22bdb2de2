package io.mcpbridge.spi;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Throttles alternating messages of failure and recovery: reports a failure at once, and a recovery only after it has
 * lasted, each time for a longer while. So the last line of the log is true. Any thread.
 */
public final class LogThrottle {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private boolean fails;

    @GuardedBy("lock")
    private boolean isReported;

    @GuardedBy("lock")
    private Duration quietPeriod = SHORTEST;

    @GuardedBy("lock")
    private long recoveredAt;

    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm alarm;

    /** Creates a throttle in the state without failure. */
    public LogThrottle(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** Takes a failure; true if it is to be reported, since the last report was of a recovery. */
    public boolean failed() {
        lock.lock();
        try {
            fails = true;
            cancelAlarm();
            var isNews = !isReported;
            isReported = true;
            return isNews;
        } finally {
            lock.unlock();
        }
    }

    /** Takes a success; {@code report} runs, on a thread of the timekeeper, once that has lasted and if a failure was reported before. */
    public void worked(Runnable report) {
        lock.lock();
        try {
            if (fails) {
                fails = false;
                recoveredAt = timekeeper.nanoTime();
                cancelAlarm();
                alarm = timekeeper.schedule(quietPeriod, () -> settle(report));
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void cancelAlarm() {
        if (alarm != null) {
            alarm.cancel();
        }
    }

    private void settle(Runnable report) {
        if (hasLasted()) {
            report.run();
        }
    }

    /** False for an alarm of an earlier recovery that could not be cancelled in time. */
    private boolean hasLasted() {
        lock.lock();
        try {
            var hasLasted = !fails && isReported && timekeeper.nanoTime() - recoveredAt >= quietPeriod.toNanos();
            if (hasLasted) {
                isReported = false;
                var longer = quietPeriod.multipliedBy(2);
                quietPeriod = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
            }
            return hasLasted;
        } finally {
            lock.unlock();
        }
    }
}
