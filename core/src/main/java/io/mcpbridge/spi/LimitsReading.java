package io.mcpbridge.spi;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Reads {@link Limits} from a section, by the dashed names and by those of the contract. */
final class LimitsReading {
    private static final int MIB = 1 << 20;

    private LimitsReading() {}

    static Limits of(Settings section) {
        section.ignore("level");
        var draft = new LimitsDraft();
        draft.memoryBytes = size(section, "max-memory", "maxMemoryMb");
        draft.processes = section.integer(section.either("max-processes", "maxProcesses"), 0);
        draft.openFiles = section.integer(section.either("max-open-files", "maxOpenFiles"), 0);
        draft.fileSizeBytes = size(section, "max-file-size", "maxFileSizeMb");
        draft.cpuTime = section.duration("max-cpu", "maxCpuMs", Duration.ZERO);
        draft.network = section.flag("network", true);
        draft.readable = paths(section, "readable");
        draft.writable = paths(section, "writable");
        return section.finish(draft::checked);
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
