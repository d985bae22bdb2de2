package io.mcpbridge.sandbox.worker;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The threads of a pool: one that watches the time, and those that wait for workers to start and to end. */
final class PoolThreads implements AutoCloseable {
    private static final long GRACE_MILLIS = 3_000;

    private final ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, PoolThreads::timer);
    private final AtomicLong count = new AtomicLong();
    private final ExecutorService chores =
            Executors.newCachedThreadPool(work -> daemon(work, "" + count.incrementAndGet()));

    PoolThreads() {
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Does what waits, off the thread that asks; nothing once closed. */
    void run(Runnable chore) {
        try {
            chores.execute(chore);
        } catch (RejectedExecutionException closed) {
            // Whoever closes ends all workers, so there is nothing left to do.
        }
    }

    /** Runs what does not wait, after a while; never once closed. */
    Future<?> later(Duration span, Runnable action) {
        try {
            return timer.schedule(action, span.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return CompletableFuture.completedFuture(true);
        }
    }

    /** Runs what does not wait, again and again. */
    void every(Duration span, Runnable action) {
        var unused = timer.scheduleWithFixedDelay(action, span.toNanos(), span.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        chores.shutdown();
        try {
            var unused = chores.awaitTermination(GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static Thread timer(Runnable work) {
        return daemon(work, "timer");
    }

    private static Thread daemon(Runnable work, String name) {
        var thread = new Thread(work, "mcp-bridge-sandbox-" + name);
        thread.setDaemon(true);
        return thread;
    }
}
