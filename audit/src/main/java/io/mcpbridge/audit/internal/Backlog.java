package io.mcpbridge.audit.internal;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.audit.internal.Waiting.Kind;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The line of raw facts between callers, who never wait, and the one writer of a sink, who does.
 *
 * <p>It is bounded by count and by bytes. What does not fit is failed at once, counted, and told by a note as soon as
 * there is room. Facts that the writer has taken count until they are {@linkplain #settled settled}.
 */
public final class Backlog {
    /** How many records may wait. */
    public static final int MAX_RECORDS = 8_192;

    /** How many bytes of what came from outside may wait. */
    public static final long MAX_BYTES = 64L << 20;

    private static final Completion NOBODY = new Completion() {
        @Override
        public void succeeded() {}

        @Override
        public void failed(Throwable why) {}

        @Override
        public boolean isAwaited() {
            return false;
        }
    };

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Timekeeper timekeeper;
    private final System.Logger logger;

    @GuardedBy("lock")
    private final ArrayDeque<Waiting> line = new ArrayDeque<>();

    @GuardedBy("lock")
    private final List<Waiting> taken = new ArrayList<>();

    @GuardedBy("lock")
    private Losses losses = new Losses();

    @GuardedBy("lock")
    private long bytes;

    @GuardedBy("lock")
    private boolean closed;

    /** One that nothing waits in. */
    public Backlog(Environment environment) {
        this.timekeeper = environment.timekeeper();
        this.logger = environment.logger();
    }

    /** A call begins. */
    public void enter(ToolEnter event, Completion durable) {
        offer(Kind.ENTER, event, EventSize.of(event), durable);
    }

    /** A call has ended. */
    public void exit(ToolExit event, Completion durable) {
        offer(Kind.EXIT, event, EventSize.of(event), durable);
    }

    /** A call was turned away. */
    public void denied(ToolDenied event) {
        offer(Kind.DENIED, event, EventSize.of(event), NOBODY);
    }

    /** Something else happened. */
    public void note(AuditNote note) {
        offer(Kind.NOTE, note, EventSize.of(note), NOBODY);
    }

    private void offer(Kind kind, Object event, long size, Completion durable) {
        var waiting = waiting(kind, event, size, durable);
        var refusal = admit(waiting);
        if (!refusal.isEmpty()) {
            waiting.fail(unavailable(refusal), logger);
        }
    }

    private Waiting waiting(Kind kind, Object event, long size, Completion durable) {
        var fact = new Waiting.Fact(kind, event, size, timekeeper.now());
        return new Waiting(fact, timekeeper.nanoTime(), durable);
    }

    private String admit(Waiting waiting) {
        lock.lock();
        try {
            if (closed) {
                return "The audit sink is closed.";
            }
            var records = line.size() + taken.size();
            if (records >= MAX_RECORDS || (bytes + waiting.bytes() > MAX_BYTES && records > 0)) {
                losses.add(waiting.kind());
                return "The audit is behind: %d records with %d bytes wait, and at most %d with %d may."
                        .formatted(records, bytes, MAX_RECORDS, MAX_BYTES);
            }
            line.add(waiting);
            bytes += waiting.bytes();
            changed.signal();
            return "";
        } finally {
            lock.unlock();
        }
    }

    /**
     * The next facts for the writer, who waits for them; none once the line is closed and empty.
     *
     * @param max how many at the most
     */
    public List<Waiting> take(int max) throws InterruptedException {
        lock.lock();
        try {
            while (line.isEmpty() && losses.isEmpty() && !closed) {
                changed.await();
            }
            var next = new ArrayList<Waiting>();
            while (next.size() < max && !line.isEmpty()) {
                next.add(line.remove());
            }
            taken.addAll(next);
            if (!losses.isEmpty()) {
                var note = losses.note();
                var gap = waiting(Kind.NOTE, note, EventSize.of(note), NOBODY);
                bytes += gap.bytes();
                losses = new Losses();
                taken.add(gap);
                next.add(gap);
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** The facts that were taken last are done with, one way or the other; {@code lost} of them are nowhere. */
    public void settled(Losses lost) {
        lock.lock();
        try {
            taken.forEach(each -> bytes -= each.bytes());
            taken.clear();
            losses.addAll(lost);
        } finally {
            lock.unlock();
        }
    }

    /** Lets the writer rest; that the line is closed meanwhile ends it. */
    public void rest(Duration pause) throws InterruptedException {
        lock.lock();
        try {
            var wasClosed = closed;
            var nanos = pause.toNanos();
            while (closed == wasClosed && nanos > 0) {
                nanos = changed.awaitNanos(nanos);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Those that somebody waits for, for longer than {@code age}. */
    public List<Waiting> awaitedFor(Duration age) {
        var since = timekeeper.nanoTime() - age.toNanos();
        return untold().stream()
                .filter(each -> each.isAwaited() && each.sinceNanos() - since <= 0)
                .toList();
    }

    /** Whether somebody waits for any of them. */
    public boolean isAwaited() {
        return untold().stream().anyMatch(Waiting::isAwaited);
    }

    /** Those that nobody told anything yet. */
    public List<Waiting> untold() {
        lock.lock();
        try {
            var all = new ArrayList<>(taken);
            all.addAll(line);
            all.removeIf(Waiting::isTold);
            return all;
        } finally {
            lock.unlock();
        }
    }

    /** How many are here, taken or not. */
    public int size() {
        lock.lock();
        try {
            return line.size() + taken.size();
        } finally {
            lock.unlock();
        }
    }

    public boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more; the writer gets what is here and then ends. */
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Why a record is not durable, as callers are told. */
    public static CallException unavailable(String why) {
        return CallException.of(Failure.of(ErrorCode.AUDIT_UNAVAILABLE, why));
    }
}
