package io.mcpbridge.transport.http.client;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one alarm for many deadlines: an alarm for each request would cost more than the request.
 *
 * <p>When it rings, {@code sweep} ends what is overdue and names the next deadline. Any thread may use it.
 */
final class DeadlineWatch {
    private final Supplier<Optional<Deadline>> sweep;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private @Nullable Deadline armedFor;

    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm alarm;

    @GuardedBy("lock")
    private boolean isStopped;

    DeadlineWatch(Supplier<Optional<Deadline>> sweep) {
        this.sweep = sweep;
    }

    /** Sees to it that the alarm rings at {@code deadline} at the latest. */
    void add(Deadline deadline) {
        lock.lock();
        try {
            boolean isCovered = armedFor != null && armedFor.earlier(deadline) == armedFor;
            if (isStopped || isCovered) {
                return;
            }
            if (alarm != null) {
                alarm.cancel();
            }
            armedFor = deadline;
            alarm = deadline.alarm(this::ring);
        } finally {
            lock.unlock();
        }
    }

    private void ring() {
        lock.lock();
        try {
            armedFor = null;
            alarm = null;
        } finally {
            lock.unlock();
        }
        sweep.get().ifPresent(this::add);
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
