package io.mcpbridge.call;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Alarms by their moment, and the thread's wait for the next one. Any thread may add and cancel; one thread takes.
 *
 * <p>Made for alarms that hardly ever run, such as the deadlines of calls. They lie in slots by their moment, as on a
 * dial that goes round and round, each slot with a lock of its own: so adding and cancelling take the same short time
 * however many there are, what is cancelled is gone, and hardly ever do two threads meet. A slot knows a moment before
 * which nothing in it is due. The thread sleeps until the first of those, and whoever adds a later alarm wakes nobody.
 */
final class AlarmQueue {
    /** Moments further ahead need not be told apart. */
    private static final long FAR = Long.MAX_VALUE / 4;

    private static final int SLOTS = 256;

    /** Alarms of the same 16 µs lie in the same slot. */
    private static final int TICK_BITS = 14;

    /** Sooner than any alarm: whoever adds one has nobody to wake. */
    private static final long AWAKE = -1;

    private final long beginning = System.nanoTime();
    private final List<AlarmSlot> slots =
            Stream.generate(AlarmSlot::new).limit(SLOTS).toList();

    /** Until when the thread sleeps. Written before the slots are looked at for the last time, read after adding. */
    private volatile long wakesAt = AWAKE;

    private volatile @Nullable Thread taker;
    private volatile boolean isClosed;

    /** What is due, for the thread that takes. */
    private final Queue<AlarmSlot.Entry> due = new ArrayDeque<>();

    /** Holds alarms back for a moment after this process did not run for a while. For the thread that takes. */
    private final Awakening awakening = new Awakening();

    Timekeeper.Alarm add(long delayNanos, Runnable action) {
        var at = now() + Math.min(delayNanos, FAR);
        var slot = slots.get((int) (at >>> TICK_BITS) & (SLOTS - 1));
        var entry = new AlarmSlot.Entry(slot, at, action);
        if (!isClosed && slot.add(entry) && at < wakesAt) {
            LockSupport.unpark(taker);
        }
        return entry;
    }

    /** Waits for the next alarm and returns its action, or null once the queue is closed. */
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
            var moment = awakening.latest(next, now);
            if (moment > now) {
                sleep(next, moment);
            } else {
                collect(now);
            }
        }
        return null;
    }

    /** Drops all alarms, and those that are added from now on. */
    void close() {
        isClosed = true;
        slots.forEach(AlarmSlot::clear);
        LockSupport.unpark(taker);
    }

    /** How many alarms wait. */
    int size() {
        return slots.stream().mapToInt(AlarmSlot::size).sum();
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

    /** Takes out of all slots what is due. */
    private void collect(long now) {
        var found = new ArrayList<AlarmSlot.Entry>();
        for (var slot : slots) {
            if (slot.earliest() <= now) {
                slot.take(now, found);
            }
        }
        found.sort(Comparator.comparingLong(AlarmSlot.Entry::at));
        due.addAll(found);
    }

    /** Before it, nothing is due. */
    private long next() {
        var next = AlarmSlot.NEVER;
        for (var slot : slots) {
            next = Math.min(next, slot.earliest());
        }
        return next;
    }

    /** Sleeps until {@code moment}, unless an alarm before {@code seen} has been added. */
    private void sleep(long seen, long moment) throws InterruptedException {
        wakesAt = moment;
        if (next() >= seen && !isClosed) {
            LockSupport.parkNanos(this, moment - now());
        }
        wakesAt = AWAKE;
        if (Thread.interrupted()) {
            throw new InterruptedException("the thread of the alarms was interrupted");
        }
        awakening.awake(moment, now());
    }

    /** Never negative, so that moments compare as numbers. */
    private long now() {
        return System.nanoTime() - beginning;
    }
}
