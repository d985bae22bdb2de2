package io.mcpbridge.gateway;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs many short actions on few threads, and wakes another one only where those that are at it have much to do, or are
 * stuck: waking is most of what handing over costs. Any thread.
 */
final class FewThreads implements Executor {
    /** How many actions may wait for one thread before another one is worth waking. */
    private static final int MANY = 16;

    /** Where no action begins for so long while some wait, another thread is woken. */
    private static final Duration STUCK = Duration.ofMillis(5);

    private final Executor threads;
    private final int most;
    private final Timekeeper timekeeper;
    private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicBoolean isWatched = new AtomicBoolean();

    FewThreads(Executor threads, int most, Timekeeper timekeeper) {
        this.threads = threads;
        this.most = most;
        this.timekeeper = timekeeper;
    }

    @Override
    public void execute(Runnable action) {
        actions.add(action);
        waiting.incrementAndGet();
        try {
            begin(MANY);
            watch();
        } catch (RejectedExecutionException ending) {
            if (actions.remove(action)) {
                waiting.decrementAndGet();
                throw ending;
            }
        }
    }

    /** Wakes one more thread where so many actions wait for each that is awake. */
    private void begin(int many) {
        for (var now = running.get(); now < most && waiting.get() > now * many; now = running.get()) {
            if (running.compareAndSet(now, now + 1)) {
                start();
                return;
            }
        }
    }

    private void start() {
        try {
            threads.execute(this::work);
        } catch (RejectedExecutionException ending) {
            running.decrementAndGet();
            throw ending;
        }
    }

    private void work() {
        try {
            for (var action = actions.poll(); action != null; action = actions.poll()) {
                waiting.decrementAndGet();
                begun.incrementAndGet();
                action.run();
            }
        } finally {
            running.decrementAndGet();
            // Whoever added something in between saw enough threads at work.
            begin(MANY);
        }
    }

    private void watch() {
        if (waiting.get() == 0 || isWatched.getAndSet(true)) {
            return;
        }
        var before = begun.get();
        try {
            var unused = timekeeper.schedule(STUCK, () -> look(before));
        } catch (RejectedExecutionException ending) {
            // Those that are awake see to what is left.
        }
    }

    private void look(long before) {
        isWatched.set(false);
        try {
            if (begun.get() == before) {
                begin(0);
            }
        } catch (RejectedExecutionException ending) {
            return;
        }
        watch();
    }
}
