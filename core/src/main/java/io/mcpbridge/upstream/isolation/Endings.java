package io.mcpbridge.upstream.isolation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.List;
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
    private final Queue<Ending> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private int underWay;

    /** Ends one process: with patience, which may take seconds, or without any. */
    record Ending(Runnable patient, Runnable quick) {}

    Endings(Executor workers) {
        this.workers = workers;
    }

    /** Runs the patient one when it is its turn. */
    void patiently(Ending ending) {
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
        atOnce(() -> run(ending.patient()));
    }

    /** Those that wait for their turn end now, without patience. */
    void hurry() {
        takeWaiting().forEach(ending -> atOnce(ending.quick()));
    }

    private List<Ending> takeWaiting() {
        lock.lock();
        try {
            var all = List.copyOf(waiting);
            waiting.clear();
            return all;
        } finally {
            lock.unlock();
        }
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

    /** One that throws keeps its turn from nobody. */
    private void run(Runnable ending) {
        try {
            ending.run();
        } finally {
            var following = next();
            if (following != null) {
                atOnce(() -> run(following.patient()));
            }
        }
    }

    private @Nullable Ending next() {
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
