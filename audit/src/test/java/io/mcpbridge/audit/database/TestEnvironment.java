package io.mcpbridge.audit.database;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ForkJoinPool;
import java.util.random.RandomGenerator;

/** What a sink takes from outside. */
public final class TestEnvironment {
    /** Its thread is there before any test counts threads, and ends with the process. */
    private static final Timekeeper TIME = new SystemTimekeeper();

    private static final Timekeeper HURRIED = new Timekeeper() {
        @Override
        public long nanoTime() {
            return TIME.nanoTime() * 100;
        }

        @Override
        public Instant now() {
            return TIME.now();
        }

        @Override
        public Alarm schedule(Duration delay, Runnable action) {
            return TIME.schedule(delay, action);
        }
    };

    private static final ProcessLauncher NO_LAUNCHER = new ProcessLauncher() {
        @Override
        public ChildProcess launch(LaunchCommand command) {
            throw new UnsupportedOperationException("an audit sink starts no process");
        }

        @Override
        public void close() {}
    };

    private TestEnvironment() {}

    public static Environment usual() {
        return logging(System.getLogger("io.mcpbridge"));
    }

    /** With random numbers of the test's own. */
    public static Environment with(RandomGenerator random) {
        return Environment.of(TIME, ForkJoinPool.commonPool(), NO_LAUNCHER).withRandom(random);
    }

    /** With a time of the test's own; completions run on the thread that moves the time. */
    public static Environment at(Timekeeper time) {
        return Environment.of(time, Runnable::run, NO_LAUNCHER);
    }

    /** With a monotonic clock that runs a hundred times as fast: spans that a sink measures are over soon. */
    public static Environment hurried() {
        return Environment.of(HURRIED, ForkJoinPool.commonPool(), NO_LAUNCHER);
    }

    public static Environment logging(System.Logger logger) {
        var unused = TIME.schedule(Duration.ZERO, () -> {});
        return Environment.of(TIME, ForkJoinPool.commonPool(), NO_LAUNCHER).withLogger(logger);
    }
}
