package io.mcpbridge.audit.database;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ProcessLauncher;
import java.util.concurrent.ForkJoinPool;
import java.util.random.RandomGenerator;

/** What a sink takes from outside. */
public final class TestEnvironment {
    /** Its thread is there before any test counts threads, and ends with the process. */
    private static final Timekeeper TIME = new SystemTimekeeper();

    private static final ProcessLauncher NO_LAUNCHER = new ProcessLauncher() {
        @Override
        public ChildProcess launch(Command command) {
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
        return Environment.with(TIME, ForkJoinPool.commonPool(), NO_LAUNCHER)
                .random(random)
                .build();
    }

    /** With a time of the test's own; whoever has to hear of something hears it on the thread that moves the time. */
    public static Environment at(Timekeeper time) {
        return Environment.with(time, Runnable::run, NO_LAUNCHER).build();
    }

    public static Environment logging(System.Logger logger) {
        var unused = TIME.schedule(java.time.Duration.ZERO, () -> {});
        return Environment.with(TIME, ForkJoinPool.commonPool(), NO_LAUNCHER)
                .logger(logger)
                .build();
    }
}
