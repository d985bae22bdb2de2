package io.mcpbridge.sandbox.worker.internal.mark;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * A variable that a worker has and that all have who stem from it, whoever their parents are by now, unless they were started
 * with an environment of their own. Found by {@code /proc}; where there is none nobody is. Any thread may use it.
 */
public final class WorkerMark {
    /** Its name. */
    public static final String VARIABLE = "MCP_BRIDGE_WORKER";

    private static final Path PROCESSES = Path.of("/proc");
    private static final long OURSELVES = ProcessHandle.current().pid();

    private final String word;
    private final BareProcesses bare;

    private WorkerMark(String value, BareProcesses bare) {
        this.word = "\0" + VARIABLE + "=" + value + "\0";
        this.bare = bare;
    }

    /** A value that nobody has yet. */
    public static String freshValue() {
        return UUID.randomUUID().toString();
    }

    /**
     * The one among these variables, if it is there.
     *
     * @param bare who was seen to have no variables, by whoever looked before
     */
    public static Optional<WorkerMark> of(Map<String, String> variables, BareProcesses bare) {
        return Optional.ofNullable(variables.get(VARIABLE)).map(value -> new WorkerMark(value, bare));
    }

    /**
     * Those who have it now, save ourselves; not sure where one shows no variables, as whoever is about to begin a program,
     * and is not known to have none.
     */
    public Sighting look() {
        var found = new ArrayList<ProcessHandle>();
        var showNone = new ArrayList<Path>();
        try (var folders = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (var folder : folders) {
                if (add(folder, found) == Look.SHOWS_NONE) {
                    showNone.add(folder);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // What was found so far is better than nothing.
        }
        return new Sighting(found, areBare(showNone));
    }

    private boolean areBare(List<Path> folders) {
        var begun = new ArrayList<ProcessHandle>();
        folders.stream()
                .filter(WorkerMark::hasArguments)
                .forEach(folder -> ProcessHandle.of(pid(folder)).ifPresent(begun::add));
        bare.keepOnly(begun);
        var known = begun.stream().filter(bare::isKnown).count();
        return known == folders.size();
    }

    /** Whoever is about to begin a program has none yet. */
    private static boolean hasArguments(Path folder) {
        try {
            return !Files.readString(folder.resolve("cmdline"), StandardCharsets.ISO_8859_1)
                    .isEmpty();
        } catch (IOException gone) {
            return false;
        }
    }

    private static long pid(Path folder) {
        return Long.parseLong(String.valueOf(folder.getFileName()));
    }

    /** The handle is taken before the look that counts, so that it cannot mean a later process of the same number. */
    private Look add(Path folder, List<ProcessHandle> found) {
        var pid = pid(folder);
        var first = pid == OURSELVES ? Look.OTHER : look(folder);
        if (first != Look.BEARS_IT) {
            return first;
        }
        var process = ProcessHandle.of(pid);
        var second = look(folder);
        if (second == Look.BEARS_IT) {
            process.ifPresent(found::add);
        }
        return second;
    }

    private Look look(Path folder) {
        try {
            var variables = Files.readString(folder.resolve("environ"), StandardCharsets.ISO_8859_1);
            if (variables.isEmpty()) {
                return hasMemory(folder) ? Look.SHOWS_NONE : Look.OTHER;
            }
            return ("\0" + variables).contains(word) ? Look.BEARS_IT : Look.OTHER;
        } catch (IOException goneOrOfAnotherUser) {
            return Look.OTHER;
        }
    }

    /** A thread of the kernel has none, nor has who is dead and not buried yet. */
    private static boolean hasMemory(Path folder) throws IOException {
        return !Files.readString(folder.resolve("statm")).startsWith("0 ");
    }

    /** Kills them, as {@link Sweep} does; those who are still there after its last look are left. */
    public void endBearers() {
        Sweep.end(this::look);
    }

    /** What one look at a process tells. */
    private enum Look {
        BEARS_IT,
        /** It is about to begin a program, and so has no variables yet, or it was started without any. */
        SHOWS_NONE,
        OTHER
    }
}
