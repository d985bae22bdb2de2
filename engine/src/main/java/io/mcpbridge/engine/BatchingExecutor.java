package io.mcpbridge.engine;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.stream.EventTurn;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs many short tasks on few threads. It wakes another thread only if the running ones have a long queue or are
 * stuck, because the wake-up is most of the cost of a hand-over. What the tasks of a thread send to one server is written
 * together, as in a turn of an event loop, so a stuck task holds back what those before it have sent. Thread-safe.
 */
final class BatchingExecutor implements Executor {
    /** The queue length per running thread from which another thread is woken. */
    private static final int QUEUE_PER_THREAD = 16;

    /** If no task starts for this long while some are queued, another thread is woken. */
    private static final Duration STALL_TIMEOUT = Duration.ofMillis(5);

    private final Executor threads;
    private final int maxThreads;
    private final Timekeeper timekeeper;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicInteger queued = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicLong startedTasks = new AtomicLong();
    private final AtomicBoolean isStallCheckPending = new AtomicBoolean();

    BatchingExecutor(Executor threads, int maxThreads, Timekeeper timekeeper) {
        this.threads = threads;
        this.maxThreads = maxThreads;
        this.timekeeper = timekeeper;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        queued.incrementAndGet();
        try {
            wakeIfNeeded(QUEUE_PER_THREAD);
            scheduleStallCheck();
        } catch (RejectedExecutionException ending) {
            if (tasks.remove(task)) {
                queued.decrementAndGet();
                throw ending;
            }
        }
    }

    /** Wakes one more thread if more than {@code perThread} tasks are queued for each running one. */
    private void wakeIfNeeded(int perThread) {
        for (var now = running.get(); now < maxThreads && queued.get() > now * perThread; now = running.get()) {
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
        var turn = new ArrayDeque<Runnable>();
        EventTurn.declare(turn::add);
        try {
            int done = 0;
            for (var task = tasks.poll(); task != null; task = tasks.poll()) {
                queued.decrementAndGet();
                startedTasks.incrementAndGet();
                task.run();
                if (++done % QUEUE_PER_THREAD == 0) {
                    end(turn);
                }
            }
        } finally {
            try {
                end(turn);
            } finally {
                running.decrementAndGet();
                // A task added in the meantime may have found enough running threads.
                wakeIfNeeded(QUEUE_PER_THREAD);
            }
        }
    }

    /** Writes together what the tasks have sent to a server. */
    private static void end(Queue<Runnable> turn) {
        for (var last = turn.poll(); last != null; last = turn.poll()) {
            last.run();
        }
    }

    private void scheduleStallCheck() {
        if (queued.get() == 0 || isStallCheckPending.getAndSet(true)) {
            return;
        }
        var before = startedTasks.get();
        try {
            var unused = timekeeper.schedule(STALL_TIMEOUT, () -> checkStall(before));
        } catch (RejectedExecutionException ending) {
            // The running threads complete the queued tasks.
        }
    }

    private void checkStall(long before) {
        isStallCheckPending.set(false);
        try {
            if (startedTasks.get() == before) {
                wakeIfNeeded(0);
            }
        } catch (RejectedExecutionException ending) {
            return;
        }
        scheduleStallCheck();
    }
}
