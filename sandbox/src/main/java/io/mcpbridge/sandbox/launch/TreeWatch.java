package io.mcpbridge.sandbox.launch;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Looks every few milliseconds what children use whose memory and number the system does not bound here, and ends those
 * that use too much. Its thread is there from the first such child on. Any thread.
 */
final class TreeWatch implements AutoCloseable {
    private static final long EVERY_MILLIS = 25;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    @GuardedBy("lock")
    private final List<HeldChild> children = new ArrayList<>();

    @GuardedBy("lock")
    private @Nullable Thread thread;

    @GuardedBy("lock")
    private boolean isClosed;

    /** Watches a child until it has ended. */
    void add(HeldChild child) {
        lock.lock();
        try {
            children.add(child);
            if (thread == null && !isClosed) {
                thread = new Thread(this::watch, "mcp-bridge-sandbox-watch");
                thread.setDaemon(true);
                thread.start();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        child.onExit().whenComplete((exit, failed) -> remove(child));
    }

    private void remove(HeldChild child) {
        lock.lock();
        try {
            children.remove(child);
        } finally {
            lock.unlock();
        }
    }

    private void watch() {
        try {
            for (var all = next(); !all.isEmpty(); all = next()) {
                all.forEach(HeldChild::check);
            }
        } catch (InterruptedException nobodyDoesThat) {
            Thread.currentThread().interrupt();
        }
    }

    /** The children to look at, after a pause; none when it is closed. */
    private List<HeldChild> next() throws InterruptedException {
        Thread.sleep(EVERY_MILLIS);
        lock.lock();
        try {
            while (children.isEmpty() && !isClosed) {
                changed.await();
            }
            return isClosed ? List.of() : List.copyOf(children);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            isClosed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
