package io.mcpbridge.catalog.check;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The threads on which values are compared with schemas, so that costly schemas keep nothing else waiting. They are few,
 * and end when there was nothing to check for a moment: what is begun is always brought to its end, which the budgets of
 * schemas see to, also while a bridge ends. Any thread may use them.
 */
final class CheckThreads {
    static final int MOST = 2;

    private static final Duration IDLE = Duration.ofMillis(200);

    private CheckThreads() {}

    /** Threads that are started when there is something to check. What waits for them is one turn of each server. */
    static Executor open() {
        var count = new AtomicLong();
        var threads = new ThreadPoolExecutor(
                MOST, MOST, IDLE.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), check -> {
                    var thread = new Thread(check, "mcp-bridge-schema-check-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
