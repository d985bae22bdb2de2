package io.mcpbridge.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** A few of the alarms of an {@link AlarmQueue}, in the order in which they came. Any thread. */
final class AlarmSlot {
    /** Later than any alarm. */
    static final long NEVER = Long.MAX_VALUE;

    private final ReentrantLock lock = new ReentrantLock();

    /** Before it nothing here is due; too early where the alarm that was due then is cancelled. */
    private final AtomicLong earliest = new AtomicLong(NEVER);

    /** Stands before the first and after the last one; links to itself where there is none. */
    @GuardedBy("lock")
    private final Entry ends = new Entry(this, NEVER, () -> {});

    long earliest() {
        return earliest.get();
    }

    /** Adds {@code entry}; true if nothing here is due before it. */
    boolean add(Entry entry) {
        lock.lock();
        try {
            entry.linkBefore(ends);
            var isFirst = entry.at < earliest.get();
            if (isFirst) {
                earliest.set(entry.at);
            }
            return isFirst;
        } finally {
            lock.unlock();
        }
    }

    /** Moves to {@code due} what is due at {@code now}, and finds out what is the earliest of the others. */
    void take(long now, Collection<Entry> due) {
        lock.lock();
        try {
            var left = NEVER;
            for (var entry = ends.next; entry != ends; ) {
                var following = entry.next;
                if (entry.at <= now) {
                    entry.unlink();
                    due.add(entry);
                } else {
                    left = Math.min(left, entry.at);
                }
                entry = following;
            }
            earliest.set(left);
        } finally {
            lock.unlock();
        }
    }

    void clear() {
        lock.lock();
        try {
            ends.unlink();
            earliest.set(NEVER);
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            var size = 0;
            for (var entry = ends.next; entry != ends; entry = entry.next) {
                size++;
            }
            return size;
        } finally {
            lock.unlock();
        }
    }

    /** The action of {@code entry}, for whoever asks first. */
    private @Nullable Runnable claim(Entry entry) {
        lock.lock();
        try {
            var action = entry.action;
            entry.action = null;
            entry.unlink();
            if (ends.next == ends) {
                // Nobody waits for this to be seen: it only spares the thread a look.
                earliest.lazySet(NEVER);
            }
            return action;
        } finally {
            lock.unlock();
        }
    }

    /** One alarm. */
    static final class Entry implements Timekeeper.Alarm {
        private final AlarmSlot slot;
        private final long at;

        /** Guarded by the slot's lock, like the links; null once it was claimed. */
        private @Nullable Runnable action;

        private Entry previous = this;
        private Entry next = this;

        Entry(AlarmSlot slot, long at, Runnable action) {
            this.slot = slot;
            this.at = at;
            this.action = action;
        }

        long at() {
            return at;
        }

        @Override
        public void cancel() {
            var unused = claim();
        }

        /** What is to run, unless it was claimed or cancelled before. */
        @Nullable
        Runnable claim() {
            return slot.claim(this);
        }

        private void linkBefore(Entry other) {
            previous = other.previous;
            next = other;
            previous.next = this;
            other.previous = this;
        }

        private void unlink() {
            previous.next = next;
            next.previous = previous;
            previous = this;
            next = this;
        }
    }
}
