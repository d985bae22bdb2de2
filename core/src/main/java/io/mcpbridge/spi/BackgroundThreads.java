package io.mcpbridge.spi;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Threads that do not keep a program alive. Their names begin with {@code mcp-bridge-}. */
public final class BackgroundThreads {

    private BackgroundThreads() {}

    /**
     * A thread that has not started.
     *
     * @param name the rest of its name
     */
    public static Thread of(String name, Runnable work) {
        var thread = new Thread(work, "mcp-bridge-" + name);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Starts a thread.
     *
     * @param name the rest of its name
     */
    public static void start(String name, Runnable work) {
        of(name, work).start();
    }

    /**
     * Makes threads with numbers.
     *
     * @param name the part of their names before the number
     */
    public static ThreadFactory numbered(String name) {
        var count = new AtomicLong();
        return work -> of(name + "-" + count.incrementAndGet(), work);
    }

    /**
     * A pool with an unbounded queue.
     *
     * @param name the part of the names of its threads before the number
     * @param idle how long a thread without work waits before it ends
     */
    public static ExecutorService pool(String name, int threads, Duration idle) {
        var pool = new ThreadPoolExecutor(
                threads, threads, idle.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), numbered(name));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Ends a pool; interrupts the work that is left after {@code grace}. */
    public static void end(ExecutorService pool, Duration grace) {
        pool.shutdown();
        try {
            if (pool.awaitTermination(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        pool.shutdownNow();
    }
}
