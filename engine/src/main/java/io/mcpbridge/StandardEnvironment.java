package io.mcpbridge;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.SandboxChoice;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.Settings;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The environment of a running bridge: the system's clocks, worker threads, and a launcher of plain processes.
 *
 * <p>Its threads are daemons, so it never keeps a program alive. Its opener closes it, after everything that uses it.
 */
public final class StandardEnvironment implements AutoCloseable {
    private static final String SANDBOX = "sandbox";
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
        environment = Environment.of(timekeeper, workers, launcher).withVariables(variables);
    }

    /** Opens an environment with the variables of this process. */
    public static StandardEnvironment open() {
        return open(System.getenv());
    }

    /** Opens an environment with other variables. */
    public static StandardEnvironment open(Map<String, String> variables) {
        return new StandardEnvironment(variables, new PlainProcessLauncher());
    }

    /** Opens an environment with the variables of this process and a launcher, which it closes. */
    public static StandardEnvironment open(ProcessLauncher launcher) {
        return new StandardEnvironment(System.getenv(), launcher);
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

    /** Lets queued work run for a short time, because futures of callers may depend on it. */
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

    /** Returns the program's environment, which stays open, or else a new one. */
    static Lease lease(Optional<Environment> given) {
        return given.map(environment -> new Lease(environment, () -> {})).orElseGet(() -> open().lease());
    }

    /**
     * Does the same; a new environment sandboxes its child processes, as the daemon does, if the configuration requires
     * it.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the system does not support the required sandbox level
     */
    static Lease lease(Optional<Environment> given, BridgeConfiguration configuration) {
        var section = configuration.bridge().plugIns().sandbox();
        var isRequired = !section.keys().isEmpty()
                || configuration.servers().stream().anyMatch(StandardEnvironment::requiresSandbox);
        return given.isEmpty() && isRequired ? sandboxed(section) : lease(given);
    }

    /** Does the same; a new environment sandboxes its child processes if the settings of the server require it. */
    static Lease lease(Optional<Environment> given, Settings server) {
        return given.isEmpty() && server.has(SANDBOX) ? sandboxed(Settings.of(Map.of())) : lease(given);
    }

    /** Isolated calls need a sandbox for their memory limits. */
    private static boolean requiresSandbox(ServerSettings server) {
        return server.enabled()
                && (server.settings().has(SANDBOX) || server.isolation().perCall());
    }

    private static Lease sandboxed(Settings section) {
        return open(SandboxChoice.of(section).open(new PlainProcessLauncher())).lease();
    }

    private Lease lease() {
        return new Lease(environment, this::close);
    }

    /**
     * The environment that one bridge or connection uses.
     *
     * @param end closes it, unless it belongs to the program
     */
    record Lease(Environment environment, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }
}
