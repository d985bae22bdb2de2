package io.mcpbridge.audit.internal;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.call.Principal;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Environment;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The bounded queue of events between the callers of a sink, who never wait, and its one writer thread. A caller makes
 * the record of its event before it queues it.
 *
 * <p>The queue limits the number of events and their bytes, and leaves half of both to others than one principal. An
 * event beyond a limit fails at once and is counted as lost.
 *
 * <p>An event that a caller waits for wakes the writer. Other events gather for a moment, because a wake-up costs more
 * than a write. Any thread may offer; methods marked "For the writer" are for the writer thread only.
 */
public final class RecordQueue {
    /** The most events in the queue, including those that the writer has taken and not released. */
    public static final int MAX_EVENTS = 8_192;

    /** The most bytes that these events may hold. */
    public static final long MAX_BYTES = 64L << 20;

    /** The number of events without a waiting caller that wakes the writer. */
    private static final int WAKE_EVENTS = 256;

    private static final long WAKE_BYTES = 2L << 20;

    private static final long FOREVER = Long.MAX_VALUE / 2;
    private static final long GATHERING_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    /** The time that a group waits for further events, for each event of the last group. */
    private static final long JOINING_NANOS = TimeUnit.MICROSECONDS.toNanos(16);

    private static final long MAX_JOINING_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

    private final Environment environment;
    private final AuditRecords records;
    private final LostRecordCounter losses = new LostRecordCounter();

    // Shared, since a full queue may reject very many events.
    private final CallException full;
    private final CallException shareIsFull;

    private final Queue<PendingRecord> events = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    /** The shares of the principals with events in the queue. */
    private final Map<Principal, Share> shares = new ConcurrentHashMap<>();

    private final AtomicReference<@Nullable Thread> waiting = new AtomicReference<>();
    private volatile boolean poked;
    private volatile boolean closed;

    /** Whether a caller waits for one of the events. */
    private volatile boolean urgent;

    /** Whether the writer lets events gather and so takes them soon without a wake-up. */
    private volatile boolean gathering;

    /** The number of events that wakes the writer while it waits for others to join its group; else 0. */
    private volatile int joinTarget;

    /** The last group, until it is released. Only the writer changes it. */
    private volatile List<PendingRecord> taken = List.of();

    /** The number of events that the writer has released. Only the writer changes it. */
    private volatile long released;

    /**
     * The lost exits that the store has not received yet. Calls beyond the bound stay open until the next start ends
     * them.
     */
    private final Queue<LostExit> lostExits = new LinkedBlockingQueue<>(2 * MAX_EVENTS);

    /** The number of events in the last group. For the writer. */
    private int lastGroupSize;

    /** The {@link System#nanoTime} at which that group was taken. For the writer. */
    private long lastTakenNanos = System.nanoTime();

    /**
     * An empty queue.
     *
     * @param records makes the records
     * @param cause the usual cause of a full queue, for messages, such as {@code the database is too slow}
     */
    public RecordQueue(Environment environment, AuditRecords records, String cause) {
        this.environment = environment;
        this.records = records;
        this.full = unavailable(
                "the audit queue is full: %d records or %d MB wait; %s".formatted(MAX_EVENTS, MAX_BYTES >> 20, cause));
        this.shareIsFull =
                unavailable("the half of the audit queue that one user may fill is full: %d records or %d MB wait; %s"
                        .formatted(MAX_EVENTS / 2, MAX_BYTES >> 21, cause));
    }

    /** The exception for callers whose record is not durable. */
    public static CallException unavailable(String why) {
        return CallException.of(Failure.of(ErrorCode.AUDIT_UNAVAILABLE, why));
    }

    /** Adds a note of the store itself. */
    public void note(AuditNote note) {
        offer(PendingRecord.of(note, environment.timekeeper()));
    }

    /** Makes the record of an event and adds it; it is lost if the queue is full or closed. */
    void offer(PendingRecord event) {
        if (closed) {
            lose(event, "the audit trail is closed");
        } else if (!make(event)) {
            return;
        } else if (!acquireShare(event)) {
            lose(event, shareIsFull);
        } else if (!add(event)) {
            releaseShare(event);
            lose(event, full);
        } else if (closed && withdraw(event)) {
            lose(event, "the audit trail is closed");
        }
    }

    /** Makes the record of an event; returns false if a defect prevents it, and the record is lost. */
    private boolean make(PendingRecord event) {
        try {
            event.make(records);
            return true;
        } catch (Throwable defect) {
            lose(event, "no audit record can be made of it: " + defect);
            environment.logger().log(Level.ERROR, "[mcp-bridge] no audit record can be made of an event", defect);
            return false;
        }
    }

    /** Counts a record that will not be in the trail, and fails its completion. */
    public void lose(PendingRecord event, String why) {
        lose(event, unavailable(why));
    }

    private void lose(PendingRecord event, CallException why) {
        losses.add(event.kind());
        if (event.kind() == RecordType.EXIT) {
            // Read 'count' first: the writer changes 'released' before 'count'.
            long before = count.get() + released;
            var unused = lostExits.offer(new LostExit(event.correlationId(), before));
        }
        event.fail(why, environment.logger());
    }

    /**
     * A call whose exit will not be in the trail.
     *
     * @param before the number of released events from which on the enter of the call is written or lost
     */
    private record LostExit(String correlationId, long before) {}

    /**
     * Removes and returns a call with a lost exit whose enter is written or lost; null if there is none. For the
     * writer.
     */
    @Nullable
    String pollLostExit() {
        var next = lostExits.peek();
        if (next == null || (next.before() > released && count.get() > 0)) {
            return null;
        }
        lostExits.remove();
        return next.correlationId();
    }

    /** The counts of the records that are not in the trail. */
    public LostRecordCounter losses() {
        return losses;
    }

    /** Adds an event to the share of its principal; returns false if that is exhausted. Notes have no limit. */
    private boolean acquireShare(PendingRecord event) {
        var principal = event.principal();
        if (principal == null) {
            return true;
        }
        var share = shares.merge(principal, new Share(1, event.bytes()), Share::plus);
        if (share != null && (share.events > MAX_EVENTS / 2 || share.bytes > MAX_BYTES / 2)) {
            releaseShare(event);
            return false;
        }
        return true;
    }

    /** Removes an event that left the queue, or did not enter it, from the share of its principal. */
    private void releaseShare(PendingRecord event) {
        var principal = event.principal();
        if (principal != null) {
            var unused = shares.merge(principal, new Share(-1, -event.bytes()), Share::plus);
        }
    }

    private record Share(int events, long bytes) {

        /** The sum; null, which removes the share, if no event is left. */
        @Nullable
        Share plus(Share more) {
            return events + more.events == 0 ? null : new Share(events + more.events, bytes + more.bytes);
        }
    }

    private boolean add(PendingRecord event) {
        int held = count.incrementAndGet();
        long size = bytes.addAndGet(event.bytes());
        if (held > MAX_EVENTS || (size > MAX_BYTES && held > 1)) {
            uncount(1, event.bytes());
            return false;
        }
        events.add(event);
        if (event.isAwaited()) {
            urgent = true;
            if (held >= joinTarget) {
                wake();
            }
        } else if (!gathering || isWakeLimit(held, size)) {
            wake();
        }
        return true;
    }

    /** Removes an event; false if the writer has taken it. */
    private boolean withdraw(PendingRecord event) {
        boolean isHere = events.remove(event);
        if (isHere) {
            uncount(1, event.bytes());
            releaseShare(event);
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

    /** Rejects further events; the writer still takes the queued ones. */
    public void close() {
        closed = true;
        poke();
    }

    public boolean isClosed() {
        return closed;
    }

    /** The events whose completion has not run, in their order. */
    public List<PendingRecord> uncompleted() {
        return Stream.concat(taken.stream(), events.stream())
                .filter(event -> !event.isCompleted())
                .toList();
    }

    /**
     * Waits for events or a {@link #poke}; returns the first ones, at most {@code most}, maybe none. For the writer.
     */
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
        lastGroupSize = group.size();
        // A caller may wait for one of the remaining events.
        if (!events.isEmpty()) {
            urgent = true;
        }
        return group;
    }

    /** Releases the last group, which was written or lost. For the writer. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // Only the writer's thread writes it.
    public void release() {
        var group = taken;
        taken = List.of();
        group.forEach(this::releaseShare);
        // One update for the group: concurrent callers change the same counters.
        released += group.size();
        uncount(group.size(), group.stream().mapToLong(PendingRecord::bytes).sum());
    }

    /** Waits for a while, or until the queue is closed. For the writer. */
    public void pause(Duration pause) {
        boolean wasClosed = closed;
        await(System.nanoTime() + pause.toNanos(), () -> closed == wasClosed);
    }

    /** Rejects all remaining and all further events. For the writer, at its end. */
    public void end() {
        closed = true;
        // A caller that adds an event after this sees 'closed' and withdraws it, or it is rejected here.
        release();
        for (var event = events.peek(); event != null; event = events.peek()) {
            if (withdraw(event)) {
                lose(event, "the audit trail is closed");
            }
        }
    }

    /** Waits up to 2 ms for events to gather, or until a caller waits for one. */
    private void gather() {
        gathering = true;
        await(System.nanoTime() + GATHERING_NANOS, () -> !urgent && !poked && !isWakeLimit(count.get(), bytes.get()));
        gathering = false;
    }

    private static boolean isWakeLimit(int held, long size) {
        return held >= WAKE_EVENTS || size >= WAKE_BYTES;
    }

    /**
     * Waits briefly for as many events as in the last group, if several callers wait at a time: one sync for many
     * events costs as much as one sync for one. A single caller does not wait.
     */
    private void letOthersJoin(int most) {
        if (urgent && lastGroupSize > 1) {
            joinTarget = Math.min(lastGroupSize, most);
            await(
                    lastTakenNanos + Math.min(MAX_JOINING_NANOS, lastGroupSize * JOINING_NANOS),
                    () -> count.get() < joinTarget && !poked);
            joinTarget = 0;
        }
        lastTakenNanos = System.nanoTime();
    }

    /**
     * Waits until {@link System#nanoTime} reaches {@code end}, or until {@link #wake} is called and the condition is
     * false.
     */
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
            LockSupport.unpark(waiting.getAndSet(null));
        }
    }

    private void uncount(int events, long size) {
        count.addAndGet(-events);
        bytes.addAndGet(-size);
    }
}
