package io.mcpbridge.audit.database;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ProcessLauncher;
import java.util.concurrent.ForkJoinPool;

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

    public static Environment logging(System.Logger logger) {
        var unused = TIME.schedule(java.time.Duration.ZERO, () -> {});
        return Environment.with(TIME, ForkJoinPool.commonPool(), NO_LAUNCHER)
                .logger(logger)
                .build();
    }
}
