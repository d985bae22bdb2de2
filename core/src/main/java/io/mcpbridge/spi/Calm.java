package io.mcpbridge.spi;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a log tells that something fails, and that it is well again, so that its last word is true and it is not
 * filled by what fails by turns: a failure is told at once, its end once that has held for a while, each time a longer one.
 * Any thread.
 */
public final class Calm {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private boolean fails;

    @GuardedBy("lock")
    private boolean isToldToFail;

    @GuardedBy("lock")
    private Duration patience = SHORTEST;

    @GuardedBy("lock")
    private long wellSince;

    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm alarm;

    /** All is well. */
    public Calm(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** It fails; whether to tell, since the last that was told is that it is well. */
    public boolean failed() {
        lock.lock();
        try {
            fails = true;
            cancelAlarm();
            var isNews = !isToldToFail;
            isToldToFail = true;
            return isNews;
        } finally {
            lock.unlock();
        }
    }

    /** It works; {@code tell} runs, on a thread of the timekeeper, once that has held and if a failure was told before. */
    public void worked(Runnable tell) {
        lock.lock();
        try {
            if (fails) {
                fails = false;
                wellSince = timekeeper.nanoTime();
                cancelAlarm();
                alarm = timekeeper.schedule(patience, () -> settle(tell));
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

    private void settle(Runnable tell) {
        if (hasHeld()) {
            tell.run();
        }
    }

    /** An alarm that could not be cancelled in time finds that this calm is younger. */
    private boolean hasHeld() {
        lock.lock();
        try {
            var hasHeld = !fails && isToldToFail && timekeeper.nanoTime() - wellSince >= patience.toNanos();
            if (hasHeld) {
                isToldToFail = false;
                var longer = patience.multipliedBy(2);
                patience = longer.compareTo(LONGEST) > 0 ? LONGEST : longer;
            }
            return hasHeld;
        } finally {
            lock.unlock();
        }
    }
}
