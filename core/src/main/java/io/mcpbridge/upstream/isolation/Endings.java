package io.mcpbridge.upstream.isolation;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Ends processes on other threads. Those that take their time may keep only a few threads, since all servers share them,
 * until there is a hurry. Any thread.
 */
final class Endings {
    /** How many are waited for at one moment. */
    private static final int AT_ONCE = 4;

    private final Executor workers;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Queue<Ending> waiting = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Set<Ending> underWay = new LinkedHashSet<>();

    @GuardedBy("lock")
    private boolean isHurried;

    /** How one process ends. */
    interface Ending {

        /** Asks it to end, and returns at once. */
        void hangUp();

        /** Ends it, which may take seconds. */
        void end();

        /** Kills it, so that {@link #end} comes to its end on another thread. */
        void kill();
    }

    Endings(Executor workers) {
        this.workers = workers;
    }

    /** Ends one when it is its turn, which in a hurry it is now. */
    void patiently(Ending ending) {
        if (!begins(ending)) {
            return;
        }
        if (isInAHurry()) {
            ending.hangUp();
        }
        atOnce(() -> run(ending));
    }

    private boolean begins(Ending ending) {
        lock.lock();
        try {
            var begins = isHurried || underWay.size() < AT_ONCE;
            (begins ? underWay : waiting).add(ending);
            return begins;
        } finally {
            lock.unlock();
        }
    }

    private boolean isInAHurry() {
        lock.lock();
        try {
            return isHurried;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody waits for a turn from here on; those that are ending are asked for it together before one is waited for. */
    void hurry() {
        var begun = new ArrayList<Ending>();
        lock.lock();
        try {
            isHurried = true;
            begun.addAll(waiting);
            underWay.addAll(waiting);
            waiting.clear();
        } finally {
            lock.unlock();
        }
        endingNow().forEach(Ending::hangUp);
        begun.forEach(ending -> atOnce(() -> run(ending)));
    }

    /** Kills what is ending still. */
    void kill() {
        endingNow().forEach(Ending::kill);
    }

    private List<Ending> endingNow() {
        lock.lock();
        try {
            return List.copyOf(underWay);
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
    private void run(Ending ending) {
        try {
            ending.end();
        } finally {
            var following = next(ending);
            if (following != null) {
                atOnce(() -> run(following));
            }
        }
    }

    private @Nullable Ending next(Ending ended) {
        lock.lock();
        try {
            underWay.remove(ended);
            var following = waiting.poll();
            if (following != null) {
                underWay.add(following);
            }
            return following;
        } finally {
            lock.unlock();
        }
    }
}
