package io.mcpbridge.sandbox.launch;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.ChildProcess;
import io.mcpbridge.spi.Command;
import io.mcpbridge.spi.Confinement;
import io.mcpbridge.spi.Limits;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.util.Map;
import java.util.Optional;

/**
 * Starts children behind what the operating system has to hold them: {@code setpriv}, {@code prlimit}, {@code bwrap}, {@code
 * unshare} and {@code systemd-run}, whichever work here.
 *
 * <p>What works is found out by trying it, once for each level, when that level is wanted first. A child that cannot be
 * held as it is required is not started. Whoever opens it closes it; any thread may use it.
 */
public final class SandboxLauncher implements ProcessLauncher {
    private final ProcessLauncher plain;
    private final Levels levels;
    private final boolean isAuto;
    private volatile SandboxLevel usual;
    private final TreeWatch watch = new TreeWatch();

    private SandboxLauncher(ProcessLauncher plain, Levels levels, Optional<SandboxLevel> required) {
        this.plain = plain;
        this.levels = levels;
        this.isAuto = required.isEmpty();
        this.usual = required.orElseGet(levels::highest);
    }

    /**
     * Opens one that does what {@code section} says for children of which nothing else is said.
     *
     * @param plain starts the processes; closed with this one, and where this fails
     * @param variables of ours; {@code PATH} says where the means are looked for
     * @throws ConfigurationException if the section is wrong, or requires a level that is not to be had here
     */
    public static SandboxLauncher open(Settings section, ProcessLauncher plain, Map<String, String> variables) {
        try {
            var required = Confinement.from(section).level();
            var levels = new Levels(plain, variables.getOrDefault("PATH", ""));
            required.ifPresent(level -> require(level, levels, section));
            return new SandboxLauncher(plain, levels, required);
        } catch (RuntimeException | Error wrong) {
            plain.close();
            throw wrong;
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
        return usual;
    }

    @Override
    public Optional<String> missing(SandboxLevel level) {
        var finding = levels.find(level);
        return finding.isThere() ? Optional.empty() : Optional.of(finding.reason());
    }

    @Override
    public Optional<String> remark() {
        return levels.reasons();
    }

    @Override
    public ChildProcess launch(Command command) throws InterruptedException {
        if (isAuto) {
            // A level that could not be tried in time may be there by now.
            usual = levels.highest();
        }
        var level = level(command);
        var means = means(level, command);
        var limits = command.limits();
        if (!boundsTrees(limits)) {
            return held(command, level, means);
        }
        var scope = levels.scope(means);
        if (scope.isPresent()) {
            return held(command, level, scope.get());
        }
        var child = held(command, level, means);
        watch.add(child);
        return child;
    }

    private HeldChild held(Command command, SandboxLevel level, Means means) throws InterruptedException {
        var wrapped = means.wrap(command);
        return new HeldChild(
                plain.launch(wrapped),
                level,
                command.limits(),
                wrapped.wrapper().stays());
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
        plain.close();
    }
}
