package io.mcpbridge.spi;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads {@link Limits} from a section, by the dashed names and by those of the contract. */
final class LimitsReading {
    private static final int MIB = 1 << 20;

    /** The names of the contract, each with ours; both of one limit are not said at once. */
    private static final Map<String, String> NAMES = Map.of(
            "maxMemoryMb", "max-memory",
            "maxProcesses", "max-processes",
            "maxOpenFiles", "max-open-files",
            "maxFileSizeMb", "max-file-size",
            "maxCpuMs", "max-cpu");

    private LimitsReading() {}

    static Limits of(Settings section) {
        section.ignore("level");
        refuseBothNames(section);
        var draft = new LimitsDraft();
        draft.memoryBytes = size(section, "max-memory", "maxMemoryMb");
        draft.processes = section.integer(section.either("max-processes", "maxProcesses"), 0);
        draft.openFiles = section.integer(section.either("max-open-files", "maxOpenFiles"), 0);
        draft.fileSizeBytes = size(section, "max-file-size", "maxFileSizeMb");
        draft.cpuTime = section.duration("max-cpu", "maxCpuMs", Duration.ZERO);
        draft.network = section.flag("network", true);
        draft.readable = paths(section, "readable");
        draft.writable = paths(section, "writable");
        if (draft.readable.isEmpty() && draft.writable.isEmpty()) {
            refuseNothing(section, "readable");
            refuseNothing(section, "writable");
        }
        return section.finish(draft::checked);
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
