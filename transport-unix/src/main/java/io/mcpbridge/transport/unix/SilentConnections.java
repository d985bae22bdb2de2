package io.mcpbridge.transport.unix;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Limits the time and the number of connections that have not sent a byte yet. Beyond the limit, the oldest of them is
 * closed. Any thread may use it.
 */
final class SilentConnections {
    private final Timekeeper timekeeper;
    private final Duration grace;
    private final int max;
    private final RejectedPeers rejected;
    private final ReentrantLock lock = new ReentrantLock();

    /** The time of each connection, oldest first. */
    @GuardedBy("lock")
    private final LinkedHashMap<AcceptLoop.ClientConnection, Long> since = new LinkedHashMap<>();

    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm alarm;

    SilentConnections(Timekeeper timekeeper, UnixListenerSettings settings, RejectedPeers rejected) {
        this.timekeeper = timekeeper;
        this.grace = settings.grace();
        this.max = settings.maxSilentConnections();
        this.rejected = rejected;
    }

    void add(AcceptLoop.ClientConnection client) {
        Optional<AcceptLoop.ClientConnection> oldest = Optional.empty();
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
        oldest.ifPresent(this::evict);
    }

    private void evict(AcceptLoop.ClientConnection silent) {
        var why = "more than %d connections have sent nothing ('max-silent-connections'); the oldest is closed"
                .formatted(max);
        silent.endIfSilent(why);
        rejected.flood(silent.user(), why);
    }

    /** Removes a client that has sent a byte or has disconnected. */
    void remove(AcceptLoop.ClientConnection client) {
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

    private void expire() {
        for (var expired = nextExpired(); expired.isPresent(); expired = nextExpired()) {
            expired.get().endIfSilent("it sent nothing for %d ms ('grace')".formatted(grace.toMillis()));
        }
    }

    /** Removes a client whose time is over; if there is none, schedules the alarm for the next one. */
    private Optional<AcceptLoop.ClientConnection> nextExpired() {
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
    private Optional<AcceptLoop.ClientConnection> takeOldest() {
        var oldest = since.keySet().iterator().next();
        since.remove(oldest);
        return Optional.of(oldest);
    }
}
