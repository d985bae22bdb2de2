package io.mcpbridge.downstream.listening;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Audience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/** What has to be done once when somebody is gone. Any thread. */
public final class Departure {
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final List<Runnable> actions = new ArrayList<>();

    @GuardedBy("lock")
    private boolean isOver;

    /** Runs {@code action} on the departure, at once if that is over. */
    public Audience.Registration then(Runnable action) {
        lock.lock();
        try {
            if (!isOver) {
                actions.add(action);
                return () -> remove(action);
            }
        } finally {
            lock.unlock();
        }
        action.run();
        return () -> {};
    }

    private void remove(Runnable action) {
        lock.lock();
        try {
            // By identity: a method reference equals nothing but itself.
            actions.removeIf(each -> each == action);
        } finally {
            lock.unlock();
        }
    }

    /** Runs what was registered; only the first call counts. */
    public void happen() {
        List<Runnable> due;
        lock.lock();
        try {
            isOver = true;
            due = List.copyOf(actions);
            actions.clear();
        } finally {
            lock.unlock();
        }
        due.forEach(Runnable::run);
    }
}
