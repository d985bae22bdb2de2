package io.mcpbridge.audit.internal;

import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Environment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The events between the callers of a sink, who never wait, and its one writer thread. Bounded by number and by bytes; an
 * event without room fails at once and is counted.
 *
 * <p>An event that a caller waits for wakes the writer. The others gather for a moment, since to wake the writer for each
 * of them would cost more than to write it. Any thread may offer; the methods of the writer are for one thread.
 */
public final class RecordQueue {
    /** The most events that may wait, those included that the writer has taken and not released. */
    public static final int MAX_EVENTS = 8_192;

    /** The most bytes that they may hold. */
    public static final long MAX_BYTES = 64L << 20;

    /** The number of events without a waiting caller that is worth a wake-up of the writer. */
    private static final int MANY = 256;

    private static final long MANY_BYTES = 2L << 20;

    private static final long FOREVER = Long.MAX_VALUE / 2;
    private static final long GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** The time that a group waits for others, for each event of the last group. */
    private static final long JOINING_NANOS = TimeUnit.MICROSECONDS.toNanos(16);

    private static final long MAX_JOINING_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Environment environment;
    private final Losses losses = new Losses();

    /** One for all, since there may be very many. */
    private final CallException full;

    private final Queue<PendingRecord> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicReference<@Nullable Thread> waiting = new AtomicReference<>();
    private volatile boolean poked;
    private volatile boolean closed;

    /** Whether the writer takes nothing more. */
    private volatile boolean ended;

    /** Whether a caller waits for one of the events. */
    private volatile boolean urgent;

    /** Whether the writer will look by itself soon. */
    private volatile boolean gathering;

    /** The number of events that is worth a wake-up of the writer while it lets others join; 0 while it does not. */
    private volatile int wanted;

    /** The last group, until it is released. Written by the writer. */
    private volatile List<PendingRecord> taken = List.of();

    /** The number of events that the writer has released. Written by the writer. */
    private volatile long released;

    /** Where there are more at once, the calls beyond them stay open until the next start ends them. */
    private final Queue<LostExit> lostExits = new LinkedBlockingQueue<>(2 * MAX_EVENTS);

    /** The number of events in the last group. For the writer. */
    private int latest;

    /** The moment at which that group was taken. For the writer. */
    private long begun = System.nanoTime();

    /**
     * An empty queue.
     *
     * @param cause why the queue becomes full, such as {@code the database is too slow}
     */
    public RecordQueue(Environment environment, String cause) {
        this.environment = environment;
        this.full = unavailable(
                "the audit queue is full: %d records or %d MB wait; %s".formatted(MAX_EVENTS, MAX_BYTES >> 20, cause));
    }

    /** The exception for callers whose record is not durable. */
    public static CallException unavailable(String why) {
        return CallException.of(Failure.of(ErrorCode.AUDIT_UNAVAILABLE, why));
    }

    /** Offers a note that the store makes. */
    public void note(AuditNote note) {
        offer(PendingRecord.of(note, environment.timekeeper()));
    }

    /** Takes an event; one without room is lost. */
    void offer(PendingRecord event) {
        if (closed) {
            lose(event, "the audit trail is closed");
        } else if (!add(event)) {
            lose(event, full);
        } else if (ended && withdraw(event)) {
            lose(event, "the audit trail is closed");
        }
    }

    /** Counts a record that will not be in the trail, and fails its completion. */
    public void lose(PendingRecord event, String why) {
        lose(event, unavailable(why));
    }

    private void lose(PendingRecord event, CallException why) {
        losses.add(event.kind());
        if (event.kind() == RecordType.EXIT) {
            // The number of waiting events comes first: the writer changes the two the other way round.
            long before = count.get() + released;
            var unused = lostExits.offer(new LostExit(event.correlationId(), before));
        }
        event.fail(why, environment.logger());
    }

    /**
     * A call whose exit will not be in the trail.
     *
     * @param before once so many events are released, the enter of the call is written or lost
     */
    private record LostExit(String correlationId, long before) {}

    /** Removes and returns a call that has no exit, once its enter is written or lost; null where there is none. For the writer. */
    @Nullable
    String pollLostExit() {
        var next = lostExits.peek();
        if (next == null || (next.before() > released && count.get() > 0)) {
            return null;
        }
        lostExits.remove();
        return next.correlationId();
    }

    /** The records that are missing in the trail. */
    public Losses losses() {
        return losses;
    }

    private boolean add(PendingRecord event) {
        int held = count.incrementAndGet();
        if (held > MAX_EVENTS) {
            count.decrementAndGet();
            return false;
        }
        long size = bytes.addAndGet(event.bytes());
        if (size > MAX_BYTES && held > 1) {
            forget(1, event.bytes());
            return false;
        }
        events.add(event);
        if (event.isAwaited()) {
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
    private boolean withdraw(PendingRecord event) {
        boolean isHere = events.remove(event);
        if (isHere) {
            forget(1, event.bytes());
        }
        return isHere;
    }

    /** Wakes the writer, which then takes a group that may be empty. */
    public void poke() {
        poked = true;
        wake();
    }

    /** The number of events that wait or are being written. */
    public int size() {
        return count.get();
    }

    /** Refuses further events; the writer takes those that are here. */
    public void close() {
        closed = true;
        poke();
    }

    public boolean isClosed() {
        return closed;
    }

    /** The events whose completion has not run, in their order. */
    public List<PendingRecord> uncompleted() {
        var all = new ArrayList<>(taken);
        all.addAll(events);
        all.removeIf(PendingRecord::isCompleted);
        return all;
    }

    /** Waits for events or a {@link #poke}; returns the first ones, at most {@code most}, maybe none. For the writer. */
    public List<PendingRecord> take(int most, long mostBytes) {
        gather();
        await(System.nanoTime() + FOREVER, () -> events.isEmpty() && !poked && !closed);
        letOthersJoin(most);
        poked = false;
        urgent = false;
        var group = new ArrayList<PendingRecord>();
        var size = 0L;
        while (group.size() < most && size < mostBytes) {
            var next = events.poll();
            if (next == null) {
                break;
            }
            size += next.bytes();
            group.add(next);
        }
        taken = group;
        latest = group.size();
        // An event that is left may be urgent.
        if (!events.isEmpty()) {
            urgent = true;
        }
        return group;
    }

    /** The last group was written or lost. For the writer. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the writer's thread writes it.
    public void release() {
        var group = taken;
        taken = List.of();
        long size = 0;
        for (var each : group) {
            size += each.bytes();
        }
        // All at once: this and the callers that offer meanwhile change the same counters.
        released += group.size();
        forget(group.size(), size);
    }

    /** Waits for a while, or until the queue is closed. For the writer. */
    public void pause(Duration pause) {
        boolean wasClosed = closed;
        await(System.nanoTime() + pause.toNanos(), () -> closed == wasClosed);
    }

    /** Refuses all events that are left and that come from now on. For the writer, at its end. */
    public void end() {
        ended = true;
        closed = true;
        // A caller that offered an event since then sees 'ended' and withdraws it, or it is refused here.
        release();
        for (var event = events.poll(); event != null; event = events.poll()) {
            forget(1, event.bytes());
            lose(event, "the audit trail is closed");
        }
    }

    /** Lets events gather for a moment, or until a caller waits for one. */
    private void gather() {
        gathering = true;
        await(System.nanoTime() + GATHERING_NANOS, () -> !urgent && !poked && !hasMany());
        gathering = false;
    }

    private boolean hasMany() {
        return isMuch(count.get(), bytes.get());
    }

    private static boolean isMuch(int held, long size) {
        return held >= MANY || size >= MANY_BYTES;
    }

    /**
     * Waits a moment for as many events as last time, where several callers wait at a time: a group that syncs for many
     * costs as much as one that syncs for one. Callers that come one by one do not wait.
     */
    private void letOthersJoin(int most) {
        if (urgent && latest > 1) {
            wanted = Math.min(latest, most);
            await(begun + Math.min(MAX_JOINING_NANOS, latest * JOINING_NANOS), () -> count.get() < wanted && !poked);
            wanted = 0;
        }
        begun = System.nanoTime();
    }

    /** Waits until a moment of {@link System#nanoTime}, or until {@link #wake} finds that the condition holds no longer. */
    private void await(long end, BooleanSupplier condition) {
        for (long rest = end - System.nanoTime();
                rest > 0 && condition.getAsBoolean();
                rest = end - System.nanoTime()) {
            waiting.set(Thread.currentThread());
            if (condition.getAsBoolean()) {
                LockSupport.parkNanos(this, rest);
            }
            waiting.set(null);
            // An interrupt would close the file at the next write.
            var unused = Thread.interrupted();
        }
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
