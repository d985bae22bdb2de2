package io.mcpbridge.audit.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way to the one writer. Any thread may offer and never waits; the writer alone takes.
 *
 * <p>An event that somebody waits for wakes the writer. The others are left to gather for a moment, since waking it for
 * each of them would cost more than writing it.
 */
final class RecordQueue {
    /** How many events may wait. */
    static final int MAX_EVENTS = 8_192;

    /** How many bytes they may hold. */
    static final long MAX_BYTES = 64L << 20;

    /** How many events for which nobody waits are worth waking the writer. */
    private static final int MANY = 256;

    private static final long MANY_BYTES = 2L << 20;

    private static final long GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** How much later than the group before, for each event of that, one may be taken for which somebody waits. */
    private static final long JOINING_NANOS = TimeUnit.MICROSECONDS.toNanos(16);

    private static final long LONGEST_JOINING_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Queue<Pending> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable Thread> waiting = new AtomicReference<>();
    private volatile boolean poked;

    /** Whether somebody waits for one of the events. */
    private volatile boolean urgent;

    /** Whether the writer will look by itself soon. */
    private volatile boolean gathering;

    /** How many events are worth waking the writer while it lets others join; 0 while it does not. */
    private volatile int wanted;

    /** How many events the last group had. For the writer. */
    private int latest;

    /** When that group was taken. For the writer. */
    private long begun = System.nanoTime();

    /** Takes an event, unless there is no room for it. */
    boolean offer(Pending event) {
        var held = count.incrementAndGet();
        if (held > MAX_EVENTS) {
            count.decrementAndGet();
            return false;
        }
        var size = bytes.addAndGet(event.bytes());
        if (size > MAX_BYTES) {
            forget(1, event.bytes());
            return false;
        }
        events.add(event);
        if (event.completion().isAwaited()) {
            urgent = true;
            if (held >= wanted) {
                wake();
            }
        } else if (!gathering || isMuch(held, size)) {
            wake();
        }
        return true;
    }

    /** Takes an event back; false where the writer has it. */
    boolean withdraw(Pending event) {
        var isHere = events.remove(event);
        if (isHere) {
            forget(1, event.bytes());
        }
        return isHere;
    }

    /** Lets the writer look after something else. */
    void poke() {
        poked = true;
        wake();
    }

    /** How many events wait. */
    int size() {
        return count.get();
    }

    /** Waits for events or a poke; the events that are there, at most {@code most}, maybe none. */
    List<Pending> take(int most, long mostBytes) {
        gather();
        awaitSomething();
        letOthersJoin(most);
        poked = false;
        urgent = false;
        var group = new ArrayList<Pending>();
        var size = 0L;
        while (group.size() < most && size < mostBytes) {
            var next = events.poll();
            if (next == null) {
                break;
            }
            size += next.bytes();
            group.add(next);
        }
        // All at once: whoever offers meanwhile counts too, and they would be in each other's way.
        forget(group.size(), size);
        latest = group.size();
        // What was left behind may be urgent.
        if (!events.isEmpty()) {
            urgent = true;
        }
        return group;
    }

    /** Lets events gather for a moment, or until somebody waits for one. */
    private void gather() {
        var end = System.nanoTime() + GATHERING_NANOS;
        gathering = true;
        for (var rest = GATHERING_NANOS; rest > 0 && isGathering(); rest = end - System.nanoTime()) {
            waiting.set(Thread.currentThread());
            if (isGathering()) {
                LockSupport.parkNanos(this, rest);
            }
            awoke();
        }
        gathering = false;
    }

    private boolean isGathering() {
        return !urgent && !poked && !hasMany();
    }

    private boolean hasMany() {
        return isMuch(count.get(), bytes.get());
    }

    private static boolean isMuch(int held, long size) {
        return held >= MANY || size >= MANY_BYTES;
    }

    private void awaitSomething() {
        while (events.isEmpty() && !poked) {
            waiting.set(Thread.currentThread());
            if (events.isEmpty() && !poked) {
                LockSupport.park(this);
            }
            awoke();
        }
    }

    /**
     * Where several wait at a time, as many as last time are let come first, for a moment: a group that syncs for many costs
     * as much as one that syncs for one. Callers that come one by one are not held up.
     */
    private void letOthersJoin(int most) {
        if (urgent && latest > 1) {
            var end = begun + Math.min(LONGEST_JOINING_NANOS, latest * JOINING_NANOS);
            wanted = Math.min(latest, most);
            for (var rest = end - System.nanoTime(); rest > 0 && isJoining(); rest = end - System.nanoTime()) {
                waiting.set(Thread.currentThread());
                if (isJoining()) {
                    LockSupport.parkNanos(this, rest);
                }
                awoke();
            }
            wanted = 0;
        }
        begun = System.nanoTime();
    }

    private boolean isJoining() {
        return count.get() < wanted && !poked;
    }

    private void awoke() {
        waiting.set(null);
        // An interrupt would close the file at the next write, and nobody means that by one.
        var unused = Thread.interrupted();
    }

    private void wake() {
        if (waiting.get() != null) {
            var writer = waiting.getAndSet(null);
            if (writer != null) {
                LockSupport.unpark(writer);
            }
        }
    }

    private void forget(int events, long size) {
        count.addAndGet(-events);
        bytes.addAndGet(-size);
    }
}
