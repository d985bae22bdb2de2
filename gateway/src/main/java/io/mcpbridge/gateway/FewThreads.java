package io.mcpbridge.gateway;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs many short actions on few threads, and wakes another one only where those that are at it have much to do: waking is
 * most of what handing over costs. Any thread.
 */
final class FewThreads implements Executor {
    /** How many actions may wait for one thread before another one is worth waking. */
    private static final int MANY = 16;

    private final Executor threads;
    private final int most;
    private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();

    FewThreads(Executor threads, int most) {
        this.threads = threads;
        this.most = most;
    }

    @Override
    public void execute(Runnable action) {
        actions.add(action);
        waiting.incrementAndGet();
        try {
            begin();
        } catch (RejectedExecutionException ending) {
            if (actions.remove(action)) {
                waiting.decrementAndGet();
                throw ending;
            }
        }
    }

    private void begin() {
        for (var now = running.get(); now < most && waiting.get() > now * MANY; now = running.get()) {
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
                action.run();
            }
        } finally {
            running.decrementAndGet();
            // Whoever added something in between saw enough threads at work.
            begin();
        }
    }
}
