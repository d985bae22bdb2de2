package io.mcpbridge.transport.http;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ProcessLauncher;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An environment with the system's clock and threads of its own, which end with it. */
public final class Surroundings implements AutoCloseable {
    private final SystemTimekeeper timekeeper = new SystemTimekeeper();
    private final ExecutorService workers = Executors.newCachedThreadPool(work -> {
        var thread = new Thread(work, "test-worker");
        thread.setDaemon(true);
        return thread;
    });
    private final Environment environment =
            Environment.with(timekeeper, workers, new NoLauncher()).build();

    /** Starts the thread of the alarms too, so that it is there before a test counts threads. */
    public Surroundings() {
        timekeeper.schedule(Duration.ZERO, () -> {});
    }

    public Environment environment() {
        return environment;
    }

    public Deadline within(Duration span) {
        return Deadline.after(span, timekeeper);
    }

    @Override
    public void close() {
        workers.shutdownNow();
        timekeeper.close();
    }

    /** Nothing here has children. */
    private static final class NoLauncher implements ProcessLauncher {

        @Override
        public ChildProcess launch(Command command) {
            throw new UnsupportedOperationException("no children here");
        }

        @Override
        public void close() {}
    }
}
