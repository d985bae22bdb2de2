package io.mcpbridge.sandbox.launch;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Confinement;
import io.mcpbridge.spi.Limits;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Starts children behind what the operating system has to hold them: {@code setpriv}, {@code prlimit}, {@code bwrap}, {@code
 * unshare} and {@code systemd-run}, whichever work here.
 *
 * <p>What works is found out by trying it, once for each level, when that level is wanted first; for children of which
 * nothing is said that begins at once, and whoever wants to know waits for it. A child that cannot be held as it is required
 * is not started. Whoever opens it closes it; any thread may use it.
 */
public final class SandboxLauncher implements ProcessLauncher {
    private final ProcessLauncher plain;
    private final Levels levels;
    private final boolean isAuto;
    private final SystemTimekeeper timekeeper;
    private final TreeWatch watch;
    private volatile @Nullable SandboxLevel usual;

    private SandboxLauncher(
            ProcessLauncher plain, Levels levels, Optional<SandboxLevel> required, SystemTimekeeper timekeeper) {
        this.plain = plain;
        this.levels = levels;
        this.isAuto = required.isEmpty();
        this.timekeeper = timekeeper;
        this.watch = new TreeWatch(timekeeper);
        this.usual = required.orElse(null);
    }

    /**
     * Opens one that does what {@code section} says for children of which nothing else is said.
     *
     * @param plain starts the processes; closed with this one, and where this fails
     * @param variables of ours; {@code PATH} says where the means are looked for, others where the manager of an ordinary
     *     user's control groups is
     * @throws ConfigurationException if the section is wrong, or requires a level that is not to be had here
     */
    public static SandboxLauncher open(Settings section, ProcessLauncher plain, Map<String, String> variables) {
        return open(section, plain, variables, ControlGroups.OF_THE_SYSTEM);
    }

    static SandboxLauncher open(
            Settings section, ProcessLauncher plain, Map<String, String> variables, ControlGroups groups) {
        try {
            var required = Confinement.from(section).level();
            var timekeeper = new SystemTimekeeper();
            var levels = new Levels(plain, variables, timekeeper, groups);
            required.ifPresent(level -> require(level, levels, section));
            var launcher = new SandboxLauncher(plain, levels, required, timekeeper);
            if (required.isEmpty()) {
                launcher.tryAhead();
            }
            return launcher;
        } catch (RuntimeException | Error wrong) {
            plain.close();
            throw wrong;
        }
    }

    /** Starting a few processes takes as long as much of the rest of a start, so it does not wait. */
    private void tryAhead() {
        try {
            var trying = new Thread(this::level, "mcp-bridge-sandbox-try");
            trying.setDaemon(true);
            trying.start();
        } catch (OutOfMemoryError noThread) {
            // Then whoever wants to know first does it.
        }
    }

    private static void require(SandboxLevel level, Levels levels, Settings section) {
        var finding = levels.find(level);
        if (!finding.isThere()) {
            section.reject(
                    "level",
                    "'auto' or one of those that this machine has, %s; %s is not to be had here: %s"
                            .formatted(levels.all(), level, finding.reason()));
            section.finish(() -> level);
        }
    }

    @Override
    public SandboxLevel level() {
        var known = usual;
        return known == null ? tried() : known;
    }

    private SandboxLevel tried() {
        var highest = levels.highest();
        usual = highest;
        return highest;
    }

    @Override
    public Optional<String> missing(SandboxLevel level) {
        var finding = levels.find(level);
        return finding.isThere() ? Optional.empty() : Optional.of(finding.reason());
    }

    @Override
    public Optional<String> refusal(Command command) {
        return level(command) == SandboxLevel.L0 ? Optional.empty() : LateVariables.refusal(command);
    }

    @Override
    public Optional<String> remark() {
        return levels.reasons();
    }

    @Override
    public ChildProcess launch(Command command) throws InterruptedException {
        if (isAuto) {
            // A level that could not be tried in time may be there by now.
            var unused = tried();
        }
        var level = level(command);
        var means = means(level, command);
        var limits = command.limits();
        var scope = boundsTrees(limits) ? levels.scope(means) : Optional.<Means>empty();
        var watched = scope.isPresent() ? limits.withMemoryBytes(0).withProcesses(0) : limits;
        return boundsTrees(watched) || !watched.cpuTime().isZero()
                ? watched(command, level, scope.orElse(means), watched)
                : held(command, level, scope.orElse(means), watched);
    }

    private HeldChild watched(Command command, SandboxLevel level, Means means, Limits watched)
            throws InterruptedException {
        watch.begin();
        var child = held(command, level, means, watched);
        try {
            watch.add(child);
            return child;
        } catch (RuntimeException | Error unwatched) {
            child.end(Duration.ZERO);
            throw unwatched;
        }
    }

    private HeldChild held(Command command, SandboxLevel level, Means means, Limits watched)
            throws InterruptedException {
        var wrapped = means.wrap(command);
        return new HeldChild(
                plain.launch(wrapped), level, watched, wrapped.wrapper().stays());
    }

    private Means means(SandboxLevel level, Command command) {
        var finding = levels.find(level);
        var means = finding.means();
        if (means == null) {
            throw TransportException.initFailed(
                    "Cannot start '%s': it is to be held at level %s%s, which is not to be had here: %s. Install what is missing, or change 'sandbox'"
                            .formatted(command, level, because(command.limits()), finding.reason()));
        }
        return means;
    }

    private static String because(Limits limits) {
        return limits.equals(Limits.NONE) ? "" : " for its limits (%s)".formatted(limits);
    }

    /** Whether there are limits for a child and all that it starts together. */
    private static boolean boundsTrees(Limits limits) {
        return limits.memoryBytes() > 0 || limits.processes() > 0;
    }

    @Override
    public void close() {
        watch.close();
        timekeeper.close();
        plain.close();
    }
}
