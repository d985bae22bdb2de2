package io.mcpbridge;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.SandboxChoice;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.BackgroundThreads;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;

/**
 * The environment of a running bridge: the system's clocks, worker threads, and a launcher of plain processes.
 *
 * <p>Its threads are daemons, so it never keeps a program alive. Its opener closes it, after everything that uses it.
 */
public final class StandardEnvironment implements AutoCloseable {
    private static final String SANDBOX = "sandbox";
    private static final int MAX_WORKERS = 32;
    private static final Duration GRACE_PERIOD = Duration.ofSeconds(1);

    private final SystemTimekeeper timekeeper = new SystemTimekeeper();
    private final ExecutorService workers = BackgroundThreads.pool("worker", MAX_WORKERS, Duration.ofSeconds(10));
    private final ProcessLauncher launcher;
    private final Environment environment;

    private StandardEnvironment(Map<String, String> variables, ProcessLauncher launcher) {
        this.launcher = launcher;
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
        // Futures of callers may depend on queued work.
        BackgroundThreads.end(workers, GRACE_PERIOD);
        timekeeper.close();
    }

    /** Returns the program's environment, which stays open, or else a new one. */
    public static Lease lease(Optional<Environment> given) {
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
    public record Lease(Environment environment, Runnable end) implements AutoCloseable {
        @Override
        public void close() {
            end.run();
        }
    }
}
