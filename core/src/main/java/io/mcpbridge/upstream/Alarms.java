package io.mcpbridge.upstream;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.call.Timekeeper.Alarm;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What is to be done later for a server; closing withdraws all of it, so that nothing holds what is gone. Any thread. */
final class Alarms implements AutoCloseable {
    private final Timekeeper timekeeper;
    private final Set<Pending> pending = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;

    Alarms(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** Runs {@code action} after {@code delay}, unless it is withdrawn or the server is closed by then. */
    Alarm schedule(Duration delay, Runnable action) {
        var added = new Pending(action);
        pending.add(added);
        added.alarm = timekeeper.schedule(delay, added::run);
        // Closing may have come before, or while there was no alarm to withdraw yet.
        if (isClosed || !pending.contains(added)) {
            added.withdraw();
        }
        return added::withdraw;
    }

    @Override
    public void close() {
        isClosed = true;
        pending.forEach(Pending::withdraw);
    }

    private final class Pending {
        private final Runnable action;
        private volatile @Nullable Alarm alarm;

        private Pending(Runnable action) {
            this.action = action;
        }

        private void run() {
            if (pending.remove(this)) {
                action.run();
            }
        }

        private void withdraw() {
            pending.remove(this);
            var current = alarm;
            if (current != null) {
                current.cancel();
            }
        }
    }
}
