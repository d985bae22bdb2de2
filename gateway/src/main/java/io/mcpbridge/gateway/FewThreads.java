package io.mcpbridge.gateway;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs many short actions on few threads, and wakes none while as many as there may be are at it: waking is most of what
 * handing over costs. Any thread.
 */
final class FewThreads implements Executor {
    private final Executor threads;
    private final int most;
    private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
    private final AtomicInteger running = new AtomicInteger();

    FewThreads(Executor threads, int most) {
        this.threads = threads;
        this.most = most;
    }

    @Override
    public void execute(Runnable action) {
        actions.add(action);
        try {
            begin();
        } catch (RejectedExecutionException ending) {
            if (actions.remove(action)) {
                throw ending;
            }
        }
    }

    private void begin() {
        for (var now = running.get(); now < most; now = running.get()) {
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
                action.run();
            }
        } finally {
            running.decrementAndGet();
            // Whoever added something in between saw enough threads at work.
            if (!actions.isEmpty()) {
                begin();
            }
        }
    }
}
