package io.mcpbridge.testkit.contract;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;

/** Detects code that waits: that sleeps, parks or waits for a monitor's notification. It measures no time. */
final class WaitDetector {
    private static final long LOOK_AGAIN_NANOS = 100_000;

    private WaitDetector() {}

    /**
     * Runs {@code work} on a thread of its own, and returns whether that thread waited.
     *
     * @param timeout how long a wait may last before it is interrupted
     */
    static boolean waits(Runnable work, Duration timeout) {
        var threads = ManagementFactory.getThreadMXBean();
        var task = new FutureTask<>(() -> {
            work.run();
            return threads.getThreadInfo(Thread.currentThread().getId()).getWaitedCount() > 0;
        });
        var thread = new Thread(task, "junit-wait-detector");
        thread.setDaemon(true);
        thread.start();
        var awake = System.nanoTime();
        while (!task.isDone()) {
            var now = System.nanoTime();
            awake = isWaiting(thread) ? awake : now;
            if (isWaiting(thread) && now - awake >= timeout.toNanos()) {
                thread.interrupt();
                return true;
            }
            LockSupport.parkNanos(LOOK_AGAIN_NANOS);
        }
        return result(task);
    }

    private static boolean isWaiting(Thread thread) {
        var state = thread.getState();
        return state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
    }

    private static boolean result(FutureTask<Boolean> task) {
        try {
            return task.get();
        } catch (ExecutionException failed) {
            throw new AssertionError("the code under test failed: " + failed.getCause(), failed.getCause());
        } catch (InterruptedException impossible) {
            throw new AssertionError("the task has ended", impossible);
        }
    }
}
