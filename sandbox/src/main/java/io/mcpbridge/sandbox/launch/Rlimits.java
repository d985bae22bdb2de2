package io.mcpbridge.sandbox.launch;

import io.mcpbridge.spi.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The limits that the system holds each process to, by {@code prlimit}.
 *
 * <p>Memory is bounded by {@code RLIMIT_DATA}, never by {@code RLIMIT_AS}: virtual machines reserve far more addresses than
 * they ever use, and do not start within a limit of those.
 */
final class Rlimits {
    private static final long NANOS = 1_000_000_000;

    private Rlimits() {}

    /** Whether {@code prlimit} has anything to do. */
    static boolean areIn(Limits limits) {
        return !options(limits).isEmpty();
    }

    /** Words before a command; none where there is nothing to do. */
    static List<String> words(Tools tools, Limits limits) {
        return words(tools, options(limits));
    }

    /** The same with a limit of processes, which counts only those of the namespace that it is set in. */
    static List<String> wordsInNamespace(Tools tools, Limits limits) {
        var options = options(limits);
        add(options, "nproc", limits.processes());
        return words(tools, options);
    }

    private static List<String> words(Tools tools, List<String> options) {
        var words = new ArrayList<String>();
        if (!options.isEmpty()) {
            words.add(tools.path("prlimit"));
            words.addAll(options);
            words.add("--");
        }
        return words;
    }

    private static List<String> options(Limits limits) {
        var options = new ArrayList<String>();
        add(options, "data", limits.memoryBytes());
        add(options, "nofile", limits.openFiles());
        add(options, "fsize", limits.fileSizeBytes());
        add(options, "cpu", seconds(limits.cpuTime()));
        return options;
    }

    /** In whole seconds, begun ones count; one more, so that the watch, which can say what happened, comes first. */
    private static long seconds(Duration time) {
        return time.isZero() ? 0 : (time.toNanos() + NANOS - 1) / NANOS + 1;
    }

    private static void add(List<String> options, String name, long value) {
        if (value > 0) {
            options.add("--%s=%d:%d".formatted(name, value, value));
        }
    }
}
