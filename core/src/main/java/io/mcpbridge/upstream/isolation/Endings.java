package io.mcpbridge.upstream.isolation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ends processes on other threads. Those that take their time may keep only a few threads, since all servers share them.
 * Any thread.
 */
final class Endings {
    /** How many are waited for at one moment. */
    private static final int AT_ONCE = 4;

    private final Executor workers;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Runnable> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private int underWay;

    Endings(Executor workers) {
        this.workers = workers;
    }

    /** Runs {@code ending}, which may wait for seconds, when it is its turn. */
    void patiently(Runnable ending) {
        lock.lock();
        try {
            if (underWay >= AT_ONCE) {
                waiting.add(ending);
                return;
            }
            underWay++;
        } finally {
            lock.unlock();
        }
        atOnce(() -> runAll(ending));
    }

    /** Runs {@code ending} beside all others. */
    void atOnce(Runnable ending) {
        try {
            workers.execute(ending);
        } catch (RejectedExecutionException stopped) {
            // The bridge ends; nobody behind this thread is served any more.
            ending.run();
        }
    }

    private void runAll(Runnable first) {
        for (var ending = first; ending != null; ending = next()) {
            ending.run();
        }
    }

    private @Nullable Runnable next() {
        lock.lock();
        try {
            var following = waiting.poll();
            if (following == null) {
                underWay--;
            }
            return following;
        } finally {
            lock.unlock();
        }
    }
}
