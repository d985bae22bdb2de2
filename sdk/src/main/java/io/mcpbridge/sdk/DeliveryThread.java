package io.mcpbridge.sdk;

import io.mcpbridge.message.Message;
import java.lang.System.Logger.Level;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Runs the code of one client or server of the SDK in order, so that it blocks no thread that reads from a peer. The
 * thread is a daemon, starts with the first task and ends when it is idle. Any thread may use it.
 */
final class DeliveryThread implements Executor {
    /** The bytes of messages that may wait; the caller may exceed it for those that must not be lost. */
    static final long MAX_WAITING_BYTES = 32L << 20;

    /** What a message that waits needs beside its own bytes. */
    private static final int OVERHEAD = 512;

    private static final System.Logger LOGGER = System.getLogger("io.mcpbridge");

    private final AtomicLong waitingBytes = new AtomicLong();
    private final ThreadPoolExecutor tasks;

    DeliveryThread(String name) {
        tasks = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        });
        tasks.allowCoreThreadTimeOut(true);
    }

    boolean isFull() {
        return waitingBytes.get() > MAX_WAITING_BYTES;
    }

    /** Delivers a message by this task, after those before it. */
    void deliver(Message message, Runnable task) {
        var bytes = message.length() + OVERHEAD;
        waitingBytes.addAndGet(bytes);
        execute(() -> {
            waitingBytes.addAndGet(-bytes);
            task.run();
        });
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
