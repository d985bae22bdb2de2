package io.mcpbridge.spi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;

/** The values of {@link Limits} while they are collected. For one thread, until it is checked and shared. */
final class LimitsDraft {
    private static final long LEAST_MEMORY = 1 << 20;
    private static final Duration LEAST_TIME = Duration.ofMillis(1);
    private static final String OUTSIDE =
            "neither in '/proc', '/sys' or '/dev' nor above them, since a child has its own"
                    + " '/proc' and '/dev'; name the files it needs, such as '/srv/data'";

    long memoryBytes;
    int processes;
    int openFiles;
    long fileSizeBytes;
    Duration cpuTime = Duration.ZERO;
    boolean network = true;
    List<Path> readable = List.of();
    List<Path> writable = List.of();

    /** Limits with these values and one change; this stays as it is. */
    Limits with(Consumer<LimitsDraft> change) {
        var copy = new LimitsDraft();
        copy.memoryBytes = memoryBytes;
        copy.processes = processes;
        copy.openFiles = openFiles;
        copy.fileSizeBytes = fileSizeBytes;
        copy.cpuTime = cpuTime;
        copy.network = network;
        copy.readable = readable;
        copy.writable = writable;
        change.accept(copy);
        return copy.checked();
    }

    /** @throws io.mcpbridge.failure.ConfigurationException with every value that cannot be */
    Limits checked() {
        var refusals = new Refusals();
        refusals.unless(
                        memoryBytes == 0 || memoryBytes >= LEAST_MEMORY,
                        "max-memory",
                        memoryBytes,
                        "at least 1 MiB, or 0 for no limit")
                .unless(processes >= 0, "max-processes", processes, "at least 1, or 0 for no limit")
                .unless(openFiles == 0 || openFiles >= 8, "max-open-files", openFiles, "at least 8, or 0 for no limit")
                .unless(fileSizeBytes >= 0, "max-file-size", fileSizeBytes, "at least 1 byte, or 0 for no limit")
                .unless(
                        cpuTime.isZero() || cpuTime.compareTo(LEAST_TIME) >= 0,
                        "max-cpu",
                        cpuTime,
                        "at least 1ms, or 0s for no limit");
        requirePaths(refusals, "readable", readable);
        requirePaths(refusals, "writable", writable);
        refusals.throwIfAny();
        return Limits.of(this);
    }

    private static void requirePaths(Refusals refusals, String key, List<Path> paths) {
        for (var path : paths) {
            if (!path.isAbsolute() || !path.equals(path.normalize())) {
                refusals.unless(false, key, path, "an absolute path without '..'");
            } else if (KernelFolders.showThrough(path)) {
                refusals.add("'%s' is %s but must be %s".formatted(key, followed(path), OUTSIDE));
            }
        }
    }

    private static String followed(Path path) {
        var place = KernelFolders.followed(path);
        var shown = Refusals.shown(path);
        return place.equals(path) ? shown : "%s, which leads to %s,".formatted(shown, Refusals.shown(place));
    }

    /** Those that are set. */
    String shown() {
        var words = new StringJoiner(", ");
        add(words, "max-memory", memoryBytes, "B");
        add(words, "max-processes", processes, "");
        add(words, "max-open-files", openFiles, "");
        add(words, "max-file-size", fileSizeBytes, "B");
        if (!cpuTime.isZero()) {
            words.add("max-cpu = " + cpuTime.toMillis() + "ms");
        }
        if (!network) {
            words.add("network = false");
        }
        addPaths(words, "readable", readable);
        addPaths(words, "writable", writable);
        return words.toString();
    }

    private static void add(StringJoiner words, String key, long value, String unit) {
        if (value > 0) {
            words.add(key + " = " + value + unit);
        }
    }

    private static void addPaths(StringJoiner words, String key, List<Path> paths) {
        if (!paths.isEmpty()) {
            words.add(key + " = " + paths);
        }
    }
}
