package io.mcpbridge.audit.file;

import io.mcpbridge.audit.internal.Uncovered;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When checkpoints are made: after so many records but not too often, since a signature costs as much as hundreds of
 * records, and after a while however few there are. For one thread.
 */
final class Pace {
    private static final int RECORDS = 1_000;

    private static final Duration SHORTEST = Duration.ofMillis(50);

    private final Timekeeper timekeeper;
    private final Runnable wake;
    private final Due longest;
    private long latest;
    private Timekeeper.@Nullable Alarm alarm;

    /** @param wake runs from another thread when it is worth asking again */
    Pace(Timekeeper timekeeper, Runnable wake) {
        this.timekeeper = timekeeper;
        this.wake = wake;
        this.longest = new Due(timekeeper, Uncovered.LONGEST, wake);
        this.latest = timekeeper.nanoTime() - SHORTEST.toNanos();
    }

    /** There are records for which no checkpoint vouches. */
    void need() {
        longest.need();
    }

    /** Whether it is time, so many records being there for which none vouches. */
    boolean isDue(long uncovered) {
        if (isLate() || uncovered < RECORDS) {
            return isLate() && uncovered > 0;
        }
        var rest = SHORTEST.toNanos() - (timekeeper.nanoTime() - latest);
        if (rest <= 0 || uncovered >= Uncovered.MOST_RECORDS) {
            return true;
        }
        if (alarm == null) {
            alarm = timekeeper.schedule(Duration.ofNanos(rest), wake);
        }
        return false;
    }

    /** Whether the oldest of those records is as old as it may become. */
    boolean isLate() {
        return longest.isDue();
    }

    /** A checkpoint was made, or tried. */
    void done() {
        end();
        latest = timekeeper.nanoTime();
    }

    /** Wakes nobody any more. */
    void end() {
        longest.done();
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }
}
