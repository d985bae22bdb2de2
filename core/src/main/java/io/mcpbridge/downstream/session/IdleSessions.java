package io.mcpbridge.downstream.session;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The HTTP sessions of one listener, the one first that was silent for the longest time. Any thread. */
public final class IdleSessions {
    private final Timekeeper timekeeper;
    private final Consumer<ClientSession> silent;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<ClientSession, Timekeeper.Alarm> alarms = new LinkedHashMap<>();

    /** Tells {@code silent} of each session that was not touched for as long as it said. */
    public IdleSessions(Timekeeper timekeeper, Consumer<ClientSession> silent) {
        this.timekeeper = timekeeper;
        this.silent = silent;
    }

    /** The session was heard of; it may be silent for so long from now on. One that has ended is not taken back. */
    public void touch(ClientSession session, Duration patience) {
        var alarm = timekeeper.schedule(patience, () -> silent.accept(session));
        lock.lock();
        try {
            cancel(alarms.remove(session));
            if (session.isClosed()) {
                alarm.cancel();
            } else {
                alarms.put(session, alarm);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The session has ended. */
    public void forget(ClientSession session) {
        lock.lock();
        try {
            cancel(alarms.remove(session));
        } finally {
            lock.unlock();
        }
    }

    /** The one of this principal's that does nothing for the longest time; empty if all of them are in use. */
    public Optional<ClientSession> oldest(Principal principal) {
        lock.lock();
        try {
            return alarms.keySet().stream()
                    .filter(session -> session.principal().equals(principal) && !isInUse(session))
                    .findFirst();
        } finally {
            lock.unlock();
        }
    }

    /** Whether it has a call under way or a stream open. */
    public static boolean isInUse(ClientSession session) {
        return session.callsInFlight() > 0 || session.isListening();
    }

    /** Those that have not ended. */
    public List<ClientSession> all() {
        lock.lock();
        try {
            return List.copyOf(alarms.keySet());
        } finally {
            lock.unlock();
        }
    }

    private static void cancel(Timekeeper.@Nullable Alarm alarm) {
        if (alarm != null) {
            alarm.cancel();
        }
    }
}
