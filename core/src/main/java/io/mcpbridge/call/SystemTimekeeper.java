package io.mcpbridge.call;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The system's clocks, with one daemon thread for alarms. Whoever makes it closes it; alarms that have not
 * run by then never do.
 */
public final class SystemTimekeeper implements Timekeeper, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.mcpbridge");

    private final ScheduledThreadPoolExecutor alarms = new ScheduledThreadPoolExecutor(1, SystemTimekeeper::thread);

    public SystemTimekeeper() {
        alarms.setRemoveOnCancelPolicy(true);
        alarms.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public Alarm schedule(Duration delay, Runnable action) {
        if (alarms.isShutdown()) {
            return () -> {};
        }
        var future = alarms.schedule(() -> run(action), Math.max(0, delay.toNanos()), TimeUnit.NANOSECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public void close() {
        alarms.shutdownNow();
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException failed) {
            // The outermost frame of the alarm thread: nobody above could react.
            LOG.log(System.Logger.Level.WARNING, "[mcp-bridge] an alarm failed", failed);
        }
    }

    private static Thread thread(Runnable work) {
        var thread = new Thread(work, "mcp-bridge-alarms");
        thread.setDaemon(true);
        return thread;
    }
}
