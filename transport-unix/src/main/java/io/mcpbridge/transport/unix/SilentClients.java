package io.mcpbridge.transport.unix;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connections that have not sent a byte yet. They have little time, and there may be few of them: one too
 * many pushes out the one that has been silent longest. Any thread may use it.
 */
final class SilentClients {
    private final Timekeeper timekeeper;
    private final Duration grace;
    private final int max;
    private final Refusals refusals;
    private final ReentrantLock lock = new ReentrantLock();

    /** Each with the moment when it came, in that order. */
    @GuardedBy("lock")
    private final LinkedHashMap<ClientSocket, Long> since = new LinkedHashMap<>();

    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm alarm;

    SilentClients(Timekeeper timekeeper, UnixListenerSettings settings, Refusals refusals) {
        this.timekeeper = timekeeper;
        this.grace = settings.grace();
        this.max = settings.maxSilentConnections();
        this.refusals = refusals;
    }

    void add(ClientSocket client) {
        Optional<ClientSocket> oldest = Optional.empty();
        lock.lock();
        try {
            if (since.size() >= max) {
                oldest = takeOldest();
            }
            since.put(client, timekeeper.nanoTime());
            if (alarm == null) {
                alarm = timekeeper.schedule(grace, this::expire);
            }
        } finally {
            lock.unlock();
        }
        oldest.ifPresent(this::pushOut);
    }

    private void pushOut(ClientSocket silent) {
        silent.endIfSilent("it sent nothing while %d others did not either ('max-silent-connections')".formatted(max));
        refusals.flood(
                silent.peer().principal().name(),
                "more than %d connections sent nothing ('max-silent-connections'), and the oldest gives way"
                        .formatted(max));
    }

    /** It has sent something, or it is gone. */
    void remove(ClientSocket client) {
        lock.lock();
        try {
            since.remove(client);
            if (since.isEmpty() && alarm != null) {
                alarm.cancel();
                alarm = null;
            }
        } finally {
            lock.unlock();
        }
    }

    int count() {
        lock.lock();
        try {
            return since.size();
        } finally {
            lock.unlock();
        }
    }

    private void expire() {
        for (var late = nextLate(); late.isPresent(); late = nextLate()) {
            late.get().endIfSilent("it sent nothing for %d ms ('grace')".formatted(grace.toMillis()));
        }
    }

    /** Takes one that is out of time; if there is none, sets the alarm for the next. */
    private Optional<ClientSocket> nextLate() {
        lock.lock();
        try {
            alarm = null;
            if (since.isEmpty()) {
                return Optional.empty();
            }
            long left = since.values().iterator().next() + grace.toNanos() - timekeeper.nanoTime();
            if (left <= 0) {
                return takeOldest();
            }
            alarm = timekeeper.schedule(Duration.ofNanos(left), this::expire);
            return Optional.empty();
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private Optional<ClientSocket> takeOldest() {
        var oldest = since.keySet().iterator().next();
        since.remove(oldest);
        return Optional.of(oldest);
    }
}
