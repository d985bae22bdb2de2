package io.mcpbridge.spi;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * The limits of a child: {@link #NONE} with changes.
 *
 * <p>A limit of zero, and an empty list of paths, is no limit. A launcher that cannot enforce the limits does not start the child.
 *
 * @param memoryBytes bytes of memory for the child and what it starts
 * @param processes how many processes there may be, the child among them; a thread may count as one
 * @param openFiles how many files and connections each process may have open
 * @param fileSizeBytes how large a file may become
 * @param cpuTime how long each process may compute, threads and all; to the millisecond, as far as a launcher can tell
 * @param allowsNetwork whether it may use the network
 * @param readable paths that it may read beside those that programs need to run, if this or {@code writable} names any
 * @param writable paths that it may read and change
 * @param hidden folders that it sees empty, and files that it sees without content; those that exist when it starts
 */
public record ProcessLimits(
        long memoryBytes,
        int processes,
        int openFiles,
        long fileSizeBytes,
        Duration cpuTime,
        boolean allowsNetwork,
        List<Path> readable,
        List<Path> writable,
        List<Path> hidden) {
    private static final long LEAST_MEMORY = 1 << 20;
    private static final Duration LEAST_TIME = Duration.ofMillis(1);
    private static final String OUTSIDE =
            "neither in '/proc', '/sys' or '/dev' nor above them, since a child has its own"
                    + " '/proc' and '/dev'; name the files it needs, such as '/srv/data'";

    /** A child that may use what we may. */
    public static final ProcessLimits NONE =
            new ProcessLimits(0, 0, 0, 0, Duration.ZERO, true, List.of(), List.of(), List.of());

    /** @throws io.mcpbridge.failure.ConfigurationException with every value that cannot be */
    public ProcessLimits {
        readable = List.copyOf(readable);
        writable = List.copyOf(writable);
        hidden = List.copyOf(hidden);
        var refusals = new MistakeCollector()
                .unless(
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
        requirePaths(refusals, "hidden", hidden);
        refusals.throwIfAny();
    }

    /**
     * Reads the section {@code sandbox}; of the bridge, of a server or of a tool. The key {@code level} is left to
     * {@link SandboxLevel#from}.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in it
     */
    public static ProcessLimits from(Settings section) {
        return Section.of(section);
    }

    /**
     * The defaults of a section {@code sandbox}, without the limits that {@code written} sets by their other name: a limit has
     * two names, and a section may use one of them only.
     *
     * @param written the settings that have the section
     * @param usual the settings whose section has the defaults
     */
    public static Settings usualBeside(Settings written, Settings usual) {
        return written.isSection("sandbox")
                ? usual.without(
                        "sandbox", Section.otherNames(written.section("sandbox").keys()))
                : usual;
    }

    private static void requirePaths(MistakeCollector refusals, String key, List<Path> paths) {
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
        var shown = MistakeCollector.shown(path);
        return place.equals(path) ? shown : "%s, which leads to %s,".formatted(shown, MistakeCollector.shown(place));
    }

    /** Whether files are out of reach that are not named. */
    public boolean hidesFiles() {
        return !readable.isEmpty() || !writable.isEmpty();
    }

    /**
     * The lowest level that enforces all of these limits. {@code L1} enforces the limit of memory already, so that it works on
     * machines without namespaces; but at {@code L1} a process that forked twice is counted alone, and from {@code L2} on
     * together with the others. Launchers choose {@code L2} if no level is configured and it is available.
     */
    public SandboxLevel needs() {
        if (!allowsNetwork || hidesFiles()) {
            return SandboxLevel.L3;
        }
        if (processes > 0 || !hidden.isEmpty()) {
            return SandboxLevel.L2;
        }
        var isBounded = memoryBytes > 0 || openFiles > 0 || fileSizeBytes > 0 || !cpuTime.isZero();
        return isBounded ? SandboxLevel.L1 : SandboxLevel.L0;
    }

    /** With another limit of memory, in bytes; 0 for none. */
    public ProcessLimits withMemoryBytes(long bytes) {
        return new ProcessLimits(
                bytes, processes, openFiles, fileSizeBytes, cpuTime, allowsNetwork, readable, writable, hidden);
    }

    /** With another number of processes; 0 for any. */
    public ProcessLimits withProcesses(int count) {
        return new ProcessLimits(
                memoryBytes, count, openFiles, fileSizeBytes, cpuTime, allowsNetwork, readable, writable, hidden);
    }

    /** With another number of open files; 0 for any. */
    public ProcessLimits withOpenFiles(int count) {
        return new ProcessLimits(
                memoryBytes, processes, count, fileSizeBytes, cpuTime, allowsNetwork, readable, writable, hidden);
    }

    /** With another size of files, in bytes; 0 for any. */
    public ProcessLimits withFileSizeBytes(long bytes) {
        return new ProcessLimits(
                memoryBytes, processes, openFiles, bytes, cpuTime, allowsNetwork, readable, writable, hidden);
    }

    /** With another time to compute; zero for any. */
    public ProcessLimits withCpuTime(Duration time) {
        return new ProcessLimits(
                memoryBytes, processes, openFiles, fileSizeBytes, time, allowsNetwork, readable, writable, hidden);
    }

    public ProcessLimits withoutNetwork() {
        return new ProcessLimits(
                memoryBytes, processes, openFiles, fileSizeBytes, cpuTime, false, readable, writable, hidden);
    }

    /** With other paths that may be read. */
    public ProcessLimits withReadable(List<Path> paths) {
        return new ProcessLimits(
                memoryBytes, processes, openFiles, fileSizeBytes, cpuTime, allowsNetwork, paths, writable, hidden);
    }

    /** With other paths that may be read and changed. */
    public ProcessLimits withWritable(List<Path> paths) {
        return new ProcessLimits(
                memoryBytes, processes, openFiles, fileSizeBytes, cpuTime, allowsNetwork, readable, paths, hidden);
    }

    /** With other paths that are hidden. */
    public ProcessLimits withHidden(List<Path> paths) {
        return new ProcessLimits(
                memoryBytes, processes, openFiles, fileSizeBytes, cpuTime, allowsNetwork, readable, writable, paths);
    }

    /** Those that are set, as they are written in the configuration. */
    @Override
    public String toString() {
        var words = new StringJoiner(", ");
        add(words, "max-memory", memoryBytes, "B");
        add(words, "max-processes", processes, "");
        add(words, "max-open-files", openFiles, "");
        add(words, "max-file-size", fileSizeBytes, "B");
        if (!cpuTime.isZero()) {
            words.add("max-cpu = " + cpuTime.toMillis() + "ms");
        }
        if (!allowsNetwork) {
            words.add("network = false");
        }
        addPaths(words, "readable", readable);
        addPaths(words, "writable", writable);
        addPaths(words, "hidden", hidden);
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

    /** Reads {@link ProcessLimits} from a section, by the dashed names and by those of the contract. */
    private static final class Section {
        private static final int MIB = 1 << 20;

        /** The names of the contract, each with ours; both of one limit are not said at once. */
        private static final Map<String, String> NAMES = Map.of(
                "maxMemoryMb", "max-memory",
                "maxProcesses", "max-processes",
                "maxOpenFiles", "max-open-files",
                "maxFileSizeMb", "max-file-size",
                "maxCpuMs", "max-cpu");

        private Section() {}

        static ProcessLimits of(Settings section) {
            section.ignore("level");
            refuseBothNames(section);
            var memory = size(section, "max-memory", "maxMemoryMb");
            var processes = section.integer(section.either("max-processes", "maxProcesses"), 0);
            var openFiles = section.integer(section.either("max-open-files", "maxOpenFiles"), 0);
            var fileSize = size(section, "max-file-size", "maxFileSizeMb");
            var cpuTime = section.duration("max-cpu", "maxCpuMs", Duration.ZERO);
            var network = section.flag("network", true);
            var readable = paths(section, "readable");
            var writable = paths(section, "writable");
            var hidden = paths(section, "hidden");
            if (readable.isEmpty() && writable.isEmpty()) {
                refuseNothing(section, "readable");
                refuseNothing(section, "writable");
            }
            return section.finish(() -> new ProcessLimits(
                    memory, processes, openFiles, fileSize, cpuTime, network, readable, writable, hidden));
        }

        /** The names of limits that stand in these by their other names. */
        static Set<String> otherNames(Set<String> keys) {
            var names = new HashSet<String>();
            NAMES.forEach((one, other) -> {
                if (keys.contains(one)) {
                    names.add(other);
                }
                if (keys.contains(other)) {
                    names.add(one);
                }
            });
            return names;
        }

        private static void refuseBothNames(Settings section) {
            NAMES.forEach((one, other) -> {
                if (section.has(one) && section.has(other)) {
                    section.reject(one, "left out beside '%s', which is the same limit".formatted(other));
                }
            });
        }

        /** An empty list would hide nothing, where it reads as if it hid everything. */
        private static void refuseNothing(Settings section, String key) {
            if (section.isEmptyList(key)) {
                section.reject(key, "left out, so that all files are seen, or a list of the paths that alone are seen");
            }
        }

        /** With its unit under its own key, or a count of MiB. */
        private static long size(Settings section, String key, String megabytesKey) {
            var said = section.either(key, megabytesKey);
            if (!said.equals(megabytesKey)) {
                return section.size(said, 0);
            }
            var megabytes = section.integer(said, 0);
            if (megabytes < 0) {
                section.reject(said, "at least 1, or 0 for no limit");
            }
            return Math.max(megabytes, 0) * (long) MIB;
        }

        private static List<Path> paths(Settings section, String key) {
            var paths = new ArrayList<Path>();
            for (var text : section.texts(key)) {
                try {
                    paths.add(Path.of(text));
                } catch (InvalidPathException wrong) {
                    section.reject(key, "a list of paths, each without NUL");
                }
            }
            return List.copyOf(paths);
        }
    }

    /**
     * The folders in which the kernel shows processes and devices. A sandbox that hides files gives a child its own, so no path
     * of the limits may be in one of them or contain one.
     */
    public static final class KernelFolders {
        private static final List<Path> ALL = List.of(Path.of("/proc"), Path.of("/sys"), Path.of("/dev"));

        /** Files in memory that processes share by name. A single file there is a file like others. */
        private static final Path SHARED_MEMORY = Path.of("/dev/shm");

        private KernelFolders() {}

        /** Whether the path is in one of them or above it, as it is written or as its links resolve now. */
        public static boolean showThrough(Path path) {
            return touches(path.toAbsolutePath().normalize()) || touches(followed(path));
        }

        /** Where the path leads; the path itself if it cannot be resolved, such as one that does not exist. */
        private static Path followed(Path path) {
            try {
                return path.toRealPath();
            } catch (IOException notThere) {
                return path;
            }
        }

        private static boolean touches(Path path) {
            var isSharedFile = path.startsWith(SHARED_MEMORY) && !path.equals(SHARED_MEMORY);
            return !isSharedFile && ALL.stream().anyMatch(folder -> path.startsWith(folder) || folder.startsWith(path));
        }
    }
}
