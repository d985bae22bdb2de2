package io.mcpbridge.transport.http;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An environment with threads of its own, which end with it, and the system's clock or one that the test moves. */
public final class HttpTestEnvironment implements AutoCloseable {
    private final Timekeeper timekeeper;
    private final Runnable endOfClock;
    private final ExecutorService workers;
    private final Environment environment;

    /** With a given number of workers. */
    public HttpTestEnvironment() {
        this(Executors.newCachedThreadPool(HttpTestEnvironment::daemon), new SystemTimekeeper());
    }

    /** Starts the thread of the alarms too, so that it is there before a test counts threads. */
    private HttpTestEnvironment(ExecutorService workers, SystemTimekeeper timekeeper) {
        this(workers, timekeeper, timekeeper::close);
        timekeeper.schedule(Duration.ZERO, () -> {});
    }

    private HttpTestEnvironment(ExecutorService workers, Timekeeper timekeeper, Runnable endOfClock) {
        this.workers = workers;
        this.timekeeper = timekeeper;
        this.endOfClock = endOfClock;
        this.environment = Environment.of(timekeeper, workers, new NoLauncher());
    }

    /** With a given number of workers, and a clock that the test advances. */
    public static HttpTestEnvironment timedBy(Timekeeper clock) {
        return new HttpTestEnvironment(Executors.newCachedThreadPool(HttpTestEnvironment::daemon), clock, () -> {});
    }

    /** With so many workers and no more. */
    public static HttpTestEnvironment withWorkers(int count) {
        return new HttpTestEnvironment(
                Executors.newFixedThreadPool(count, HttpTestEnvironment::daemon), new SystemTimekeeper());
    }

    /** With a clock that the test moves. */
    public static Environment with(Timekeeper clock) {
        return Environment.of(clock, Runnable::run, new NoLauncher());
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
        return Environment.of(timekeeper, workers, new NoLauncher()).withLogger(logger);
    }

    public Deadline within(Duration span) {
        return Deadline.after(span, timekeeper);
    }

    @Override
    public void close() {
        workers.shutdownNow();
        endOfClock.run();
    }

    /** Nothing here has children. */
    private static final class NoLauncher implements ProcessLauncher {

        @Override
        public ChildProcess launch(LaunchCommand command) {
            throw new UnsupportedOperationException("no children here");
        }

        @Override
        public void close() {}
    }
}
