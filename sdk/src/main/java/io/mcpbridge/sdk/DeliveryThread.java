package io.mcpbridge.sdk;

import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the code of one client or server of the SDK in order, so that it blocks no thread that reads from a peer. The
 * thread is a daemon, starts with the first task and ends when it is idle. Any thread may use it.
 */
final class DeliveryThread implements Executor {
    private static final System.Logger LOGGER = System.getLogger("io.mcpbridge");

    private final ThreadPoolExecutor tasks;

    DeliveryThread(String name) {
        tasks = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        tasks.allowCoreThreadTimeOut(true);
    }

    /** Runs a task after those before it; drops it after {@link #close}. */
    @Override
    public void execute(Runnable task) {
        try {
            tasks.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException failed) {
                    report("delivering a message failed", failed);
                }
            });
        } catch (RejectedExecutionException closed) {
            LOGGER.log(Level.DEBUG, "[mcp-bridge] a message came after the end of its session");
        }
    }

    /** Logs a failure of the program's code. */
    void report(String what, Throwable failed) {
        LOGGER.log(Level.WARNING, "[mcp-bridge] " + what, failed);
    }

    /** Drops the tasks that have not begun. */
    void close() {
        tasks.shutdown();
        tasks.getQueue().clear();
    }
}
