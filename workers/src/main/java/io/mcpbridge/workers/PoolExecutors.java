package io.mcpbridge.workers;

import io.mcpbridge.spi.BackgroundThreads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of a pool: a timer, and threads that block on the start, the responses and the end of workers. */
final class PoolExecutors implements AutoCloseable {
    private static final long GRACE_MILLIS = 3_000;

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(1, work -> BackgroundThreads.of("worker-pool-timer", work));
    private final ExecutorService tasks = Executors.newCachedThreadPool(BackgroundThreads.numbered("worker-pool"));

    PoolExecutors() {
        timer.setRemoveOnCancelPolicy(true);
    }

    /** Runs a task that may block; does nothing after {@link #close}. */
    void run(Runnable task) {
        try {
            tasks.execute(task);
        } catch (RejectedExecutionException closed) {
            // Closing kills all workers, so the task has nothing left to do.
        }
    }

    /** Runs a non-blocking task after a delay; does nothing after {@link #close}. */
    Future<?> later(Duration span, Runnable action) {
        try {
            return timer.schedule(action, span.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closed) {
            return CompletableFuture.completedFuture(true);
        }
    }

    /** Runs a non-blocking task periodically. */
    void every(Duration span, Runnable action) {
        var unused = timer.scheduleWithFixedDelay(action, span.toNanos(), span.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void close() {
        timer.shutdownNow();
        tasks.shutdown();
        try {
            var unused = tasks.awaitTermination(GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
