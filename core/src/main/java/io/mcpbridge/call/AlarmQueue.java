package io.mcpbridge.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Alarms by their moment, and the thread's wait for the next one. Any thread may add and cancel; one thread takes.
 *
 * <p>Made for alarms that hardly ever run, such as the deadlines of calls: cancelling takes no lock and only marks the
 * alarm, which leaves when its moment comes or when too many marked ones lie about; and whoever adds one that is later
 * than the next wakes nobody.
 */
final class AlarmQueue {
    /** Moments further apart could not be compared. */
    private static final long FAR = Long.MAX_VALUE / 4;

    /** Fewer cancelled alarms than this are not worth looking for. */
    private static final int FEW = 1_024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition change = lock.newCondition();
    private final AtomicInteger cancelled = new AtomicInteger();

    @GuardedBy("lock")
    private final PriorityQueue<Entry> entries = new PriorityQueue<>(Entry.BY_MOMENT);

    @GuardedBy("lock")
    private long numbers;

    @GuardedBy("lock")
    private boolean isClosed;

    /** Until when the thread sleeps; meaningless while it does not. */
    @GuardedBy("lock")
    private long wakesAt;

    @GuardedBy("lock")
    private boolean isAsleep;

    /** Holds alarms back for a moment after this process did not run for a while. */
    @GuardedBy("lock")
    private final Awakening awakening = new Awakening();

    Timekeeper.Alarm add(long delayNanos, Runnable action) {
        lock.lock();
        try {
            var entry = new Entry(this, System.nanoTime() + Math.min(delayNanos, FAR), numbers++, action);
            if (!isClosed) {
                entries.add(entry);
                tidy();
                if (isAsleep && entry.at - wakesAt < 0) {
                    change.signal();
                }
            }
            return entry;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next alarm and returns its action, or null once the queue is closed. */
    @Nullable
    Runnable take() throws InterruptedException {
        lock.lock();
        try {
            while (!isClosed) {
                var first = entries.peek();
                if (first == null) {
                    sleep(FAR);
                    continue;
                }
                var now = System.nanoTime();
                var remaining = first.isCancelled() ? 0 : awakening.latest(first.at, now) - now;
                if (remaining > 0) {
                    sleep(remaining);
                    continue;
                }
                entries.remove();
                var action = first.claim();
                if (action != null) {
                    return action;
                }
                cancelled.decrementAndGet();
            }
            return null;
        } finally {
            lock.unlock();
        }
    }

    /** Drops all alarms, and those that are added from now on. */
    void close() {
        lock.lock();
        try {
            isClosed = true;
            entries.clear();
            change.signal();
        } finally {
            lock.unlock();
        }
    }

    /** How many alarms are kept, the cancelled ones that have not left included. */
    int size() {
        lock.lock();
        try {
            return entries.size();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    @SuppressWarnings("WaitNotInLoop") // The loop is the caller's.
    private void sleep(long nanos) throws InterruptedException {
        isAsleep = true;
        wakesAt = System.nanoTime() + nanos;
        try {
            var left = change.awaitNanos(nanos);
            assert left <= nanos;
        } finally {
            isAsleep = false;
            awakening.awake(wakesAt, System.nanoTime());
        }
    }

    /** Costs each addition a constant time on the average, since half of what it looks at leaves. */
    @GuardedBy("lock")
    private void tidy() {
        if (cancelled.get() > FEW && cancelled.get() > entries.size() / 2) {
            var before = entries.size();
            entries.removeIf(Entry::isCancelled);
            cancelled.addAndGet(entries.size() - before);
        }
    }

    private static final class Entry implements Timekeeper.Alarm {
        private static final Comparator<Entry> BY_MOMENT = (one, other) -> {
            var apart = one.at - other.at;
            return apart != 0 ? Long.signum(apart) : Long.compare(one.number, other.number);
        };

        private final AlarmQueue queue;
        private final long at;
        private final long number;
        private final AtomicReference<@Nullable Runnable> action;

        private Entry(AlarmQueue queue, long at, long number, Runnable action) {
            this.queue = queue;
            this.at = at;
            this.number = number;
            this.action = new AtomicReference<>(action);
        }

        @Override
        public void cancel() {
            if (claim() != null) {
                queue.cancelled.incrementAndGet();
            }
        }

        private @Nullable Runnable claim() {
            return action.getAndSet(null);
        }

        private boolean isCancelled() {
            return action.get() == null;
        }
    }
}
