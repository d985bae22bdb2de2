package io.mcpbridge.call;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The system's clocks, with one daemon thread for alarms. Whoever makes it closes it; alarms that have not
 * run by then never do.
 */
public final class SystemTimekeeper implements Timekeeper, AutoCloseable {
    private static final System.Logger LOG = System.getLogger("io.mcpbridge");

    private final AlarmQueue alarms = new AlarmQueue();
    private final AtomicBoolean isStarted = new AtomicBoolean();

    public SystemTimekeeper() {}

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
        var alarm = alarms.add(Math.max(0, TimeUnit.NANOSECONDS.convert(delay)), action);
        if (!isStarted.get() && isStarted.compareAndSet(false, true)) {
            start();
        }
        return alarm;
    }

    /** Where the system has no room for a thread, the next alarm tries again. */
    private void start() {
        var isRunning = false;
        try {
            var thread = new Thread(this::run, "mcp-bridge-alarms");
            thread.setDaemon(true);
            thread.start();
            isRunning = true;
        } finally {
            isStarted.set(isRunning);
        }
    }

    @Override
    public void close() {
        alarms.close();
    }

    private void run() {
        try {
            for (var action = alarms.take(); action != null; action = alarms.take()) {
                run(action);
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private static void run(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException | Error failed) {
            // The outermost frame of the alarm thread: nobody above could react, and the other alarms go on.
            LOG.log(System.Logger.Level.WARNING, "[mcp-bridge] an alarm failed", failed);
        }
    }
}
