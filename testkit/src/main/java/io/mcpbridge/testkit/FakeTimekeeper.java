package io.mcpbridge.testkit;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until a test advances it. Any thread may use it.
 *
 * <p>Alarms run on the thread that calls {@link #advance}, in the order of their times; during an alarm the clock shows
 * its time. An alarm that another alarm sets runs in the same advance if it is due by then.
 */
public final class FakeTimekeeper implements Timekeeper {
    private static final Instant BEGIN = Instant.parse("2026-07-28T12:00:00Z");

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final PriorityQueue<Entry> alarms =
            new PriorityQueue<>(Comparator.comparingLong(Entry::at).thenComparingLong(Entry::number));

    @GuardedBy("lock")
    private long numbers;

    private volatile long nanos;
    private volatile Duration wallOffset = Duration.ZERO;

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public Instant now() {
        return BEGIN.plusNanos(nanos).plus(wallOffset);
    }

    @Override
    public Alarm schedule(Duration delay, Runnable action) {
        lock.lock();
        try {
            var entry = new Entry(nanos + Math.max(0, delay.toNanos()), numbers++, action);
            alarms.add(entry);
            return () -> remove(entry);
        } finally {
            lock.unlock();
        }
    }

    /** Advances both clocks and runs the alarms that become due, including those due at the final time. */
    public void advance(Duration span) {
        if (span.isNegative()) {
            throw new IllegalArgumentException("time moves on only, but the span is " + span);
        }
        var target = nanos + span.toNanos();
        for (var due = next(target); due != null; due = next(target)) {
            due.action().run();
        }
    }

    /** Moves only the wall clock, forward or back, as an operator may. */
    public void shiftWallClock(Duration span) {
        wallOffset = wallOffset.plus(span);
    }

    /** The number of alarms that have neither run nor been cancelled. */
    public int pendingAlarms() {
        lock.lock();
        try {
            return alarms.size();
        } finally {
            lock.unlock();
        }
    }

    /** The times until all alarms, ascending. */
    public List<Duration> alarms() {
        lock.lock();
        try {
            return alarms.stream()
                    .map(alarm -> Duration.ofNanos(alarm.at() - nanos))
                    .sorted()
                    .toList();
        } finally {
            lock.unlock();
        }
    }

    /** The time until the next alarm. */
    public Optional<Duration> untilNextAlarm() {
        return alarms().stream().findFirst();
    }

    /** Waits until {@code count} alarms are pending, which other threads set. */
    public void awaitAlarms(int count) {
        Eventually.holds(() -> count + " pending alarms; there are " + pendingAlarms(), () -> pendingAlarms() >= count);
    }

    /**
     * Removes the next alarm that is due by {@code target} and advances the clock to it; without one, advances the
     * clock to the target.
     */
    private @Nullable Entry next(long target) {
        lock.lock();
        try {
            var first = alarms.peek();
            if (first == null || first.at() - target > 0) {
                nanos = Math.max(nanos, target);
                return null;
            }
            nanos = Math.max(nanos, first.at());
            return alarms.poll();
        } finally {
            lock.unlock();
        }
    }

    private void remove(Entry entry) {
        lock.lock();
        try {
            alarms.remove(entry);
        } finally {
            lock.unlock();
        }
    }

    private record Entry(long at, long number, Runnable action) {}
}
