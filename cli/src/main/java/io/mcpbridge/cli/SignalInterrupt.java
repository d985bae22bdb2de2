package io.mcpbridge.cli;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in order when a signal ends the process: interrupts it, and keeps the process until the command
 * has returned, but at most 5 seconds.
 */
final class SignalInterrupt {
    private static final int LONGEST_END_SECONDS = 5;

    private SignalInterrupt() {}

    /** Runs a command that a signal may interrupt, in this thread, and returns its exit code. */
    static int during(Callable<Integer> command) throws Exception {
        var thread = Thread.currentThread();
        var hasEnded = new CountDownLatch(1);
        var onSignal = new Thread(() -> interrupt(thread, hasEnded), "mcp-bridge-signal");
        Runtime.getRuntime().addShutdownHook(onSignal);
        try {
            return command.call();
        } finally {
            hasEnded.countDown();
            try {
                Runtime.getRuntime().removeShutdownHook(onSignal);
            } catch (IllegalStateException ending) {
                // The signal has begun it.
            }
        }
    }

    private static void interrupt(Thread thread, CountDownLatch hasEnded) {
        thread.interrupt();
        try {
            var unused = hasEnded.await(LONGEST_END_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
