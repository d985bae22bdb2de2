package io.mcpbridge.transport.http.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one alarm for many deadlines: an alarm for each request would cost more than the request.
 *
 * <p>When it rings, {@code sweep} ends what is overdue and names the next deadline, which may be one whose clock
 * stood still. Any thread may use it.
 */
final class DeadlineWatch {
    /** How long to wait at least between two sweeps, as a held deadline may be due at any moment. */
    private static final Duration PATIENCE = Duration.ofMillis(20);

    private final Timekeeper timekeeper;
    private final Supplier<Optional<Deadline>> sweep;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private long ringsAt;

    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm alarm;

    @GuardedBy("lock")
    private boolean isStopped;

    DeadlineWatch(Timekeeper timekeeper, Supplier<Optional<Deadline>> sweep) {
        this.timekeeper = timekeeper;
        this.sweep = sweep;
    }

    /** Sees to it that the alarm rings at {@code deadline} at the latest. */
    void add(Deadline deadline) {
        ringIn(deadline.remaining());
    }

    private void ringIn(Duration pause) {
        lock.lock();
        try {
            long at = timekeeper.nanoTime() + pause.toNanos();
            if (isStopped || (alarm != null && ringsAt - at <= 0)) {
                return;
            }
            if (alarm != null) {
                alarm.cancel();
            }
            ringsAt = at;
            alarm = timekeeper.schedule(pause, this::ring);
        } finally {
            lock.unlock();
        }
    }

    private void ring() {
        lock.lock();
        try {
            alarm = null;
        } finally {
            lock.unlock();
        }
        var next = sweep.get().map(Deadline::remaining);
        next.ifPresent(pause -> ringIn(pause.compareTo(PATIENCE) < 0 ? PATIENCE : pause));
    }

    void stop() {
        lock.lock();
        try {
            isStopped = true;
            if (alarm != null) {
                alarm.cancel();
            }
        } finally {
            lock.unlock();
        }
    }
}
