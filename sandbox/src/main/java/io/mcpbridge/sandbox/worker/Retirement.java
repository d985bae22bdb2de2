package io.mcpbridge.sandbox.worker;

import io.mcpbridge.sandbox.worker.internal.frame.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * When a worker has done enough, so that another one takes its place.
 *
 * @param maxCalls after so many calls
 * @param maxAge after such a time
 * @param maxResident when it holds so many bytes between calls
 */
record Retirement(int maxCalls, Duration maxAge, long maxResident) {
    private static final Duration IDLE_FOR_LONG = Duration.ofMinutes(1);
    private static final long MIB = 1 << 20;

    static Retirement of(WorkerOptions options, long memory) {
        var resident = options.maxResidentMb() == 0 ? memory : options.maxResidentMb() * MIB;
        return new Retirement(options.maxCalls(), options.maxAge(), resident);
    }

    /** Whether it is over after a call; at once where that left something running, which might disturb the next one. */
    boolean isDue(Worker worker, Report report) {
        return worker.calls() >= maxCalls
                || isTooOld(worker)
                || report.residentBytes() > maxResident
                || !report.leftBehind().isEmpty();
    }

    /** Takes out those that are due to end; of those that are too many, the ones that were used longest ago. */
    List<Worker> takeDue(Deque<Worker> idle, int warm) {
        var due = new ArrayList<Worker>();
        var spare = idle.size() - warm;
        for (var it = idle.descendingIterator(); it.hasNext(); ) {
            var worker = it.next();
            if (isDueIdle(worker, spare > 0)) {
                it.remove();
                due.add(worker);
                spare--;
            }
        }
        return due;
    }

    /** Whether it is over while it waits, perhaps as one that is not needed to be ready. */
    private boolean isDueIdle(Worker worker, boolean isSpare) {
        return isTooOld(worker) || (isSpare && worker.idleTime().compareTo(IDLE_FOR_LONG) > 0);
    }

    private boolean isTooOld(Worker worker) {
        return worker.age().compareTo(maxAge) > 0;
    }
}
