package io.mcpbridge.downstream.listening;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
    public void then(Runnable action) {
        lock.lock();
        try {
            if (!isOver) {
                actions.add(action);
                return;
            }
        } finally {
            lock.unlock();
        }
        action.run();
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
