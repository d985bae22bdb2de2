package io.mcpbridge;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ProcessLauncher;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The environment of a running bridge: the system's clocks, worker threads, and a launcher of plain processes.
 *
 * <p>Its threads are daemons, so it never keeps a program alive. Whoever makes it closes it, last of all.
 */
public final class StandardEnvironment implements AutoCloseable {
    private static final int MAX_WORKERS = 32;
    private static final long GRACE_MILLIS = 1_000;

    private final SystemTimekeeper timekeeper = new SystemTimekeeper();
    private final ThreadPoolExecutor workers;
    private final ProcessLauncher launcher;
    private final Environment environment;

    private StandardEnvironment(Map<String, String> variables, ProcessLauncher launcher) {
        this.launcher = launcher;
        var count = new AtomicLong();
        workers = new ThreadPoolExecutor(
                MAX_WORKERS, MAX_WORKERS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
                    var thread = new Thread(work, "mcp-bridge-worker-" + count.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        workers.allowCoreThreadTimeOut(true);
        environment = Environment.with(timekeeper, workers, launcher)
                .variables(variables)
                .build();
    }

    /** With the variables of this process. */
    public static StandardEnvironment open() {
        return open(System.getenv());
    }

    /** With other variables. */
    public static StandardEnvironment open(Map<String, String> variables) {
        return new StandardEnvironment(variables, new PlainProcessLauncher());
    }

    /** With the variables of this process and a launcher that is closed with it. */
    public static StandardEnvironment open(ProcessLauncher launcher) {
        return new StandardEnvironment(System.getenv(), launcher);
    }

    /**
     * With the variables of this process, and children whom its terminal cannot interrupt; for programs that close it
     * when they are interrupted themselves.
     */
    public static StandardEnvironment openApart() {
        return new StandardEnvironment(System.getenv(), PlainProcessLauncher.apart());
    }

    public Environment environment() {
        return environment;
    }

    @Override
    public void close() {
        launcher.close();
        endWorkers();
        timekeeper.close();
    }

    /** Lets what is queued run, since futures of callers may depend on it, but not for long. */
    private void endWorkers() {
        workers.shutdown();
        try {
            if (workers.awaitTermination(GRACE_MILLIS, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        workers.shutdownNow();
    }
}
