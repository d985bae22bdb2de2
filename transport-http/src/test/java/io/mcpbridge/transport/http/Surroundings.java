package io.mcpbridge.transport.http;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.call.Timekeeper;
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
    private final ExecutorService workers;
    private final Environment environment;

    /** With as many workers as are asked for. */
    public Surroundings() {
        this(Executors.newCachedThreadPool(Surroundings::daemon));
    }

    /** Starts the thread of the alarms too, so that it is there before a test counts threads. */
    private Surroundings(ExecutorService workers) {
        this.workers = workers;
        environment = Environment.with(timekeeper, workers, new NoLauncher()).build();
        timekeeper.schedule(Duration.ZERO, () -> {});
    }

    /** With so many workers and no more. */
    public static Surroundings withWorkers(int count) {
        return new Surroundings(Executors.newFixedThreadPool(count, Surroundings::daemon));
    }

    /** With a clock that the test moves. */
    public static Environment with(Timekeeper clock) {
        return Environment.with(clock, Runnable::run, new NoLauncher()).build();
    }

    private static Thread daemon(Runnable work) {
        var thread = new Thread(work, "test-worker");
        thread.setDaemon(true);
        return thread;
    }

    public Environment environment() {
        return environment;
    }

    /** The same environment with another log. */
    public Environment loggingTo(System.Logger logger) {
        return Environment.with(timekeeper, workers, new NoLauncher())
                .logger(logger)
                .build();
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
