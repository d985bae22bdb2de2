package io.mcpbridge.sandbox.launch;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.BackgroundThreads;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.LaunchCommand;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.SandboxSettings;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Starts children through tools of the operating system that confine them: {@code setpriv}, {@code prlimit},
 * {@code bwrap}, {@code unshare} and {@code systemd-run}, as far as they work on this machine.
 *
 * <p>{@code LevelDetection} probes each level on first use, and the default level at once, in the background. A child
 * whose required level is not available does not start. Any thread may use it.
 */
public final class SandboxLauncher implements ProcessLauncher {
    private final ProcessLauncher plain;
    private final LevelDetection levels;
    private final boolean isAuto;
    private final SystemTimekeeper timekeeper;
    private final UsageMonitor monitor;
    private final HiddenPaths hidden;
    private volatile @Nullable SandboxLevel usual;

    private SandboxLauncher(
            ProcessLauncher plain,
            LevelDetection levels,
            Optional<SandboxLevel> required,
            SystemTimekeeper timekeeper,
            HiddenPaths hidden) {
        this.plain = plain;
        this.hidden = hidden;
        this.levels = levels;
        this.isAuto = required.isEmpty();
        this.timekeeper = timekeeper;
        this.monitor = new UsageMonitor(timekeeper);
        this.usual = required.orElse(null);
    }

    /**
     * Opens a launcher.
     *
     * @param section the defaults for its children
     * @param plain starts the processes; closed with this launcher, and if this method fails
     * @param variables the bridge's variables: {@code PATH} locates the tools, others the service manager of an
     *     ordinary user and the places of the bridge
     * @throws ConfigurationException if the section is wrong, or requires a level that is not available here
     */
    public static SandboxLauncher open(Settings section, ProcessLauncher plain, Map<String, String> variables) {
        return open(section, plain, variables, ControlGroupCheck.OF_THE_SYSTEM);
    }

    static SandboxLauncher open(
            Settings section, ProcessLauncher plain, Map<String, String> variables, ControlGroupCheck groups) {
        try {
            var settings = SandboxSettings.from(section);
            var required = settings.level();
            var timekeeper = new SystemTimekeeper();
            var levels = new LevelDetection(plain, variables, timekeeper, groups);
            required.ifPresent(level -> require(level, levels, section));
            var launcher = new SandboxLauncher(
                    plain,
                    levels,
                    required,
                    timekeeper,
                    HiddenPaths.of(variables).and(settings.limits().hidden()));
            if (required.isEmpty()) {
                launcher.detectInBackground();
            }
            return launcher;
        } catch (RuntimeException | Error wrong) {
            plain.close();
            throw wrong;
        }
    }

    /** Probing takes a large part of the start time, so the start does not wait for it. */
    private void detectInBackground() {
        try {
            BackgroundThreads.start("sandbox-detection", this::level);
        } catch (OutOfMemoryError noThread) {
            // The first caller detects the level instead.
        }
    }

    private static void require(SandboxLevel level, LevelDetection levels, Settings section) {
        var result = levels.find(level);
        if (!result.isAvailable()) {
            section.reject(
                    "level",
                    "'auto' or one of those that this machine has, %s; %s is not available here: %s"
                            .formatted(levels.available(), level, result.reason()));
            section.finish(() -> level);
        }
    }

    @Override
    public SandboxLevel level() {
        var known = usual;
        return known == null ? detect() : known;
    }

    private SandboxLevel detect() {
        var highest = levels.highest();
        usual = highest;
        return highest;
    }

    @Override
    public Optional<String> missing(SandboxLevel level) {
        var result = levels.find(level);
        return result.isAvailable() ? Optional.empty() : Optional.of(result.reason());
    }

    @Override
    public Optional<String> refusal(LaunchCommand command) {
        var level = level(command);
        if (level == SandboxLevel.L0) {
            return Optional.empty();
        }
        return DeferredVariables.refusal(command)
                .or(() -> level.covers(SandboxLevel.L2) ? hidden.refusal(command) : Optional.empty());
    }

    @Override
    public Optional<String> remark() {
        return levels.reasons();
    }

    @Override
    public ChildProcess launch(LaunchCommand command) throws InterruptedException {
        if (isAuto) {
            // A level that could not be probed in time may be available by now.
            var unused = detect();
        }
        var level = level(command);
        var wrapper = wrapper(level, command);
        var limits = command.limits();
        var scope = limitsTree(limits) ? levels.withControlGroup(wrapper) : Optional.<CommandWrapper>empty();
        var monitored = scope.isPresent() ? limits.withMemoryBytes(0).withProcesses(0) : limits;
        return limitsTree(monitored) || !monitored.cpuTime().isZero()
                ? startMonitored(command, level, scope.orElse(wrapper), monitored)
                : start(command, level, scope.orElse(wrapper), monitored);
    }

    private SandboxedProcess startMonitored(
            LaunchCommand command, SandboxLevel level, CommandWrapper wrapper, ProcessLimits monitored)
            throws InterruptedException {
        monitor.prepare();
        var child = start(command, level, wrapper, monitored);
        try {
            monitor.add(child);
            return child;
        } catch (RuntimeException | Error notMonitored) {
            child.end(Duration.ZERO);
            throw notMonitored;
        }
    }

    private SandboxedProcess start(
            LaunchCommand command, SandboxLevel level, CommandWrapper wrapper, ProcessLimits monitored)
            throws InterruptedException {
        var wrapped = wrapper.wrap(hiding(level, command));
        return new SandboxedProcess(
                plain.launch(wrapped), level, monitored, wrapped.wrapper().stays());
    }

    private LaunchCommand hiding(SandboxLevel level, LaunchCommand command) {
        if (!level.covers(SandboxLevel.L2)) {
            return command;
        }
        hidden.refusal(command).ifPresent(why -> {
            throw TransportException.initFailed("Cannot start '%s': %s".formatted(command, why));
        });
        try {
            return hidden.hide(command);
        } catch (ConfigurationException changed) {
            // A link may have another target than when the limits were read.
            throw TransportException.initFailed("Cannot start '%s': %s".formatted(command, changed.getMessage()));
        }
    }

    private CommandWrapper wrapper(SandboxLevel level, LaunchCommand command) {
        var result = levels.find(level);
        var wrapper = result.wrapper();
        if (wrapper == null) {
            throw TransportException.initFailed(
                    "Cannot start '%s': it requires sandbox level %s%s, which is not available here: %s. Install what is missing, or change 'sandbox'"
                            .formatted(command, level, because(command.limits()), result.reason()));
        }
        return wrapper;
    }

    private static String because(ProcessLimits limits) {
        return limits.equals(ProcessLimits.NONE) ? "" : " for its limits (%s)".formatted(limits);
    }

    /** Whether there are limits for a child together with its descendants. */
    private static boolean limitsTree(ProcessLimits limits) {
        return limits.memoryBytes() > 0 || limits.processes() > 0;
    }

    @Override
    public void close() {
        monitor.close();
        timekeeper.close();
        plain.close();
    }

    /**
     * Checks the resource usage of children every few milliseconds, for limits that the kernel does not enforce here,
     * and ends children that exceed one.
     *
     * <p>Its threads exist before such a child is returned, so a lack of threads protects no child. If a check fails,
     * the next one still runs. Any thread may use it.
     */
    static final class UsageMonitor implements AutoCloseable {
        static final Duration EVERY = Duration.ofMillis(25);

        private static final System.Logger LOG = System.getLogger("io.mcpbridge");

        private final Timekeeper timekeeper;

        /** Ends children, which may take long; always has one thread. */
        private final ThreadPoolExecutor ending;

        private final AtomicBoolean isReported = new AtomicBoolean();

        /** @param timekeeper the checks run on its thread; closed after the monitor, which ends them */
        UsageMonitor(Timekeeper timekeeper) {
            this(
                    timekeeper,
                    new ThreadPoolExecutor(
                            1,
                            1,
                            0,
                            TimeUnit.SECONDS,
                            new LinkedBlockingQueue<>(),
                            work -> BackgroundThreads.of("sandbox-end", work)));
        }

        UsageMonitor(Timekeeper timekeeper, ThreadPoolExecutor ending) {
            this.timekeeper = timekeeper;
            this.ending = ending;
        }

        /** Makes sure that there is a thread to end a child; called before the child starts. */
        void prepare() {
            ending.prestartCoreThread();
        }

        /** Monitors a child until it has ended, and until its termination has begun if it exceeded a limit. */
        void add(SandboxedProcess child) {
            var unused = timekeeper.schedule(EVERY, () -> check(child));
        }

        private void check(SandboxedProcess child) {
            try {
                child.check(ending);
            } catch (RejectedExecutionException closed) {
                // The launcher was closed, which ends all children.
            } catch (RuntimeException | Error failed) {
                report(failed);
            } finally {
                if (child.needsMonitoring()) {
                    add(child);
                }
            }
        }

        /** Logs the first failure only, since there are many checks. */
        private void report(Throwable failed) {
            if (!isReported.getAndSet(true)) {
                LOG.log(System.Logger.Level.WARNING, "[mcp-bridge] failed to check what a child uses", failed);
            }
        }

        @Override
        public void close() {
            ending.shutdown();
        }
    }
}
