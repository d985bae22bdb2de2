package io.mcpbridge.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The system's clocks, and one daemon thread that runs alarms. Its creator closes it, which drops the alarms that are
 * still pending.
 */
public final class SystemTimekeeper implements Timekeeper, AutoCloseable {
    private final AlarmQueue alarms = new AlarmQueue();
    private final AtomicBoolean isStarted = new AtomicBoolean();

    public SystemTimekeeper() {}

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Alarm schedule(Duration delay, Runnable action) {
        var alarm = alarms.add(Math.max(0, TimeUnit.NANOSECONDS.convert(delay)), action);
        if (!isStarted.get() && isStarted.compareAndSet(false, true)) {
            start();
        }
        return alarm;
    }

    /** Starts the thread. If the system has no thread left, this fails and the next alarm tries again. */
    private void start() {
        var isRunning = false;
        try {
            var thread = new Thread(this::run, "mcp-bridge-alarms");
            thread.setDaemon(true);
            thread.start();
            isRunning = true;
        } finally {
            isStarted.set(isRunning);
        }
    }

    @Override
    public void close() {
        alarms.close();
    }

    private void run() {
        try {
            for (var action = alarms.take(); action != null; action = alarms.take()) {
                run(action);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error failed) {
            // The outermost frame of the alarm thread: no caller could react, and the other alarms continue.
            // A logger is made only here, since the first one of a process opens each jar of the class path.
            System.getLogger("io.mcpbridge").log(System.Logger.Level.WARNING, "[mcp-bridge] an alarm failed", failed);
        }
    }

    /**
     * A hashed timer wheel. Any thread may add and cancel alarms; one thread takes them.
     *
     * <p>Most alarms are cancelled before they are due, such as the deadlines of calls. An alarm is in the slot of its
     * due time, and each slot has its own lock. Adding and cancelling take constant time, a cancelled alarm is removed at
     * once, and threads rarely contend for a lock. Each slot knows a time before which none of its alarms is due. The
     * thread sleeps until the earliest of these times; adding a later alarm does not wake it.
     */
    static final class AlarmQueue {
        /** The longest delay in nanoseconds; longer ones are cut, so that a due time does not overflow. */
        private static final long FAR = Long.MAX_VALUE / 4;

        private static final int SLOTS = 256;

        /** A tick takes 2^14 ns, about 16 µs. Alarms of the same tick share a slot. */
        private static final int TICK_BITS = 14;

        /** The wake-up time while the thread is awake; before any due time, so that adding an alarm wakes no thread. */
        private static final long AWAKE = -1;

        private final long beginning = System.nanoTime();
        private final List<Slot> slots = Stream.generate(Slot::new).limit(SLOTS).toList();

        /**
         * The time until which the thread sleeps. The thread sets it before it checks the slots for the last time; others
         * read it after they add an alarm. So either side sees the change of the other.
         */
        private volatile long wakesAt = AWAKE;

        private volatile @Nullable Thread taker;
        private volatile boolean isClosed;

        /** The alarms that are due; used by the taking thread only. */
        private final Queue<Slot.Entry> due = new ArrayDeque<>();

        /** Delays alarms after the process was suspended; used by the taking thread only. */
        private final SuspendDetector suspendDetector = new SuspendDetector();

        Timekeeper.Alarm add(long delayNanos, Runnable action) {
            var at = now() + Math.min(delayNanos, FAR);
            var slot = slots.get((int) (at >>> TICK_BITS) & (SLOTS - 1));
            var entry = new Slot.Entry(slot, at, action);
            if (!isClosed && slot.add(entry) && at < wakesAt) {
                LockSupport.unpark(taker);
            }
            return entry;
        }

        /** Waits for the next alarm and returns its action; null if the queue is closed. */
        @Nullable
        Runnable take() throws InterruptedException {
            taker = Thread.currentThread();
            while (!isClosed) {
                var action = claimDue();
                if (action != null) {
                    return action;
                }
                var next = next();
                var now = now();
                var wakeUp = suspendDetector.latest(next, now);
                if (wakeUp > now) {
                    sleep(next, wakeUp);
                } else {
                    collect(now);
                }
            }
            return null;
        }

        /** Drops all alarms, also those that are added later. */
        void close() {
            isClosed = true;
            slots.forEach(Slot::clear);
            LockSupport.unpark(taker);
        }

        /** The number of pending alarms. */
        int size() {
            return slots.stream().mapToInt(Slot::size).sum();
        }

        private @Nullable Runnable claimDue() {
            for (var entry = due.poll(); entry != null; entry = due.poll()) {
                var action = entry.claim();
                if (action != null) {
                    return action;
                }
            }
            return null;
        }

        /** Moves the alarms that are due from the slots to {@code due}, in the order of their due times. */
        private void collect(long now) {
            var found = new ArrayList<Slot.Entry>();
            for (var slot : slots) {
                if (slot.earliest() <= now) {
                    slot.take(now, found);
                }
            }
            found.sort(Comparator.comparingLong(Slot.Entry::at));
            due.addAll(found);
        }

        /** A time before which no alarm is due. */
        private long next() {
            var next = Slot.NEVER;
            for (var slot : slots) {
                next = Math.min(next, slot.earliest());
            }
            return next;
        }

        /** Sleeps until {@code wakeUp}, unless an alarm that is due before {@code seen} was added. */
        private void sleep(long seen, long wakeUp) throws InterruptedException {
            wakesAt = wakeUp;
            if (next() >= seen && !isClosed) {
                LockSupport.parkNanos(this, wakeUp - now());
            }
            wakesAt = AWAKE;
            if (Thread.interrupted()) {
                throw new InterruptedException("the thread of the alarms was interrupted");
            }
            suspendDetector.awake(wakeUp, now());
        }

        /** Nanoseconds since the queue was created; never negative, so that times compare as numbers. */
        private long now() {
            return System.nanoTime() - beginning;
        }

        /** One slot of the wheel: a linked list of alarms in the order in which they were added. Any thread. */
        static final class Slot {
            /** Later than any due time. */
            static final long NEVER = Long.MAX_VALUE;

            private final ReentrantLock lock = new ReentrantLock();

            /** A time before which no alarm of the slot is due; too early if that alarm was cancelled. */
            private final AtomicLong earliest = new AtomicLong(NEVER);

            /** The sentinel of the list, before the first and after the last alarm; linked to itself in an empty list. */
            @GuardedBy("lock")
            private final Entry ends = new Entry(this, NEVER, () -> {});

            long earliest() {
                return earliest.get();
            }

            /** Adds {@code entry}; true if it is due before all others of the slot. */
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

            /** Moves the alarms that are due at {@code now} to {@code due}, and finds the earliest of the others. */
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

            /** Removes {@code entry} and returns its action; null if it was claimed before. */
            private @Nullable Runnable claim(Entry entry) {
                lock.lock();
                try {
                    var action = entry.action;
                    entry.action = null;
                    entry.unlink();
                    if (ends.next == ends) {
                        // Other threads may see this late: it only saves a visit of the slot.
                        earliest.lazySet(NEVER);
                    }
                    return action;
                } finally {
                    lock.unlock();
                }
            }

            /** One alarm. */
            static final class Entry implements Timekeeper.Alarm {
                private final Slot slot;
                private final long at;

                /** The lock of the slot guards it and the links; null if it was claimed. */
                private @Nullable Runnable action;

                private Entry previous = this;
                private Entry next = this;

                Entry(Slot slot, long at, Runnable action) {
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

                /** Returns the action; null if the alarm was claimed or cancelled before. */
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

        /**
         * Detects that a signal or a sleeping machine has suspended this process, and delays alarms after that. Input that
         * arrived during the suspension is read first, so that it does not count as late. For one thread at a time.
         */
        static final class SuspendDetector {
            /** A thread that wakes this late was suspended; a busy machine does not delay it so long. */
            static final Duration STOPPED = Duration.ofSeconds(2);

            /** The time to read the input that has arrived. */
            static final Duration GRACE = Duration.ofSeconds(1);

            private boolean isRecent;
            private long until;

            /** The thread has woken at {@code now} instead of {@code planned}. */
            void awake(long planned, long now) {
                if (now - planned > STOPPED.toNanos()) {
                    isRecent = true;
                    until = now + GRACE.toNanos();
                }
            }

            /** The time at which to run an alarm that is due at {@code at}. */
            long latest(long at, long now) {
                isRecent = isRecent && until - now > 0;
                return isRecent && until - at > 0 ? until : at;
            }
        }
    }
}
