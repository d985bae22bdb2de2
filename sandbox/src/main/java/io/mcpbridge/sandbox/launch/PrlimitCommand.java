package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.ProcessLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds {@code prlimit} commands, which limit each single process.
 *
 * <p>Memory is limited by {@code RLIMIT_DATA}, never by {@code RLIMIT_AS}: virtual machines reserve far more addresses
 * than they use, and do not start within such a limit.
 */
final class PrlimitCommand {
    private static final long NANOS = 1_000_000_000;

    private PrlimitCommand() {}

    /** The words before a command; empty if no limit is set. */
    static List<String> words(SystemTools tools, ProcessLimits limits) {
        return words(tools, options(limits));
    }

    /**
     * Like {@link #words}, within a user namespace. There the number of processes can be limited too, except for root,
     * whose processes are not counted.
     */
    static List<String> wordsInNamespace(SystemTools tools, ProcessLimits limits, boolean isRoot) {
        var options = options(limits);
        if (!isRoot && HostSystem.countsByNamespace()) {
            add(options, "nproc", limits.processes());
        }
        return words(tools, options);
    }

    private static List<String> words(SystemTools tools, List<String> options) {
        var words = new ArrayList<String>();
        if (!options.isEmpty()) {
            words.add(tools.path("prlimit"));
            words.addAll(options);
            words.add("--");
        }
        return words;
    }

    private static List<String> options(ProcessLimits limits) {
        var options = new ArrayList<String>();
        add(options, "data", limits.memoryBytes());
        add(options, "nofile", limits.openFiles());
        add(options, "fsize", limits.fileSizeBytes());
        add(options, "cpu", seconds(limits.cpuTime()));
        return options;
    }

    /**
     * Rounds up to seconds and adds one, so that {@link SandboxLauncher.UsageMonitor}, which reports the reason, acts
     * first.
     */
    private static long seconds(Duration time) {
        return time.isZero() ? 0 : (time.toNanos() + NANOS - 1) / NANOS + 1;
    }

    private static void add(List<String> options, String name, long value) {
        if (value > 0) {
            options.add("--%s=%d:%d".formatted(name, value, value));
        }
    }
}
