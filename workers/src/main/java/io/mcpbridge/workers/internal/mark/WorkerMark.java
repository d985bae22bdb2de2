package io.mcpbridge.workers.internal.mark;

import io.mcpbridge.workers.internal.mark.ProcessSweep.Scan;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * An environment variable that identifies a worker and its descendants, orphans included, unless they were started with
 * an environment of their own. It finds processes in {@code /proc}, and none on other systems. Any thread may use it.
 */
public final class WorkerMark {
    /** The argument of a worker that sees only its own processes and so needs no mark. */
    public static final String ALONE_ARGUMENT = "--alone";

    /** The name of the variable. */
    public static final String VARIABLE = "MCP_BRIDGE_WORKER";

    private static final Path PROCESSES = Path.of("/proc");
    private static final long OURSELVES = ProcessHandle.current().pid();

    private final String text;
    private final EmptyEnvironments empty;

    private WorkerMark(String value, EmptyEnvironments empty) {
        this.text = "\0" + VARIABLE + "=" + value + "\0";
        this.empty = empty;
    }

    /** Returns a value that is not in use. */
    public static String freshValue() {
        return UUID.randomUUID().toString();
    }

    /**
     * Returns the mark among these variables, if they have one.
     *
     * @param empty processes that are known to have no variables
     */
    public static Optional<WorkerMark> of(Map<String, String> variables, EmptyEnvironments empty) {
        return Optional.ofNullable(variables.get(VARIABLE)).map(value -> new WorkerMark(value, empty));
    }

    /** Kills the processes that have the mark; processes that remain after the last scan survive. */
    public void killAll() {
        ProcessSweep.killAll(this::scan);
    }

    /**
     * Finds the processes that have the mark, except for this one. The scan is incomplete if a process shows no
     * variables and is not known to have none.
     */
    public Scan scan() {
        var found = new ArrayList<ProcessHandle>();
        var withoutVariables = new ArrayList<Path>();
        try (var folders = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (var folder : folders) {
                if (add(folder, found) == Mark.NO_VARIABLES) {
                    withoutVariables.add(folder);
                }
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // Return the processes that were found so far.
        }
        return new Scan(found, areKnown(withoutVariables));
    }

    /**
     * Checks one process. The handle is taken before the check, so that it cannot belong to a later process with the
     * same id.
     */
    private Mark add(Path folder, List<ProcessHandle> found) {
        var pid = pid(folder);
        var first = pid == OURSELVES ? Mark.NO : look(folder);
        if (first != Mark.YES) {
            return first;
        }
        var process = ProcessHandle.of(pid);
        var second = look(folder);
        if (second == Mark.YES) {
            process.ifPresent(found::add);
        }
        return second;
    }

    private Mark look(Path folder) {
        try {
            var variables = Files.readString(folder.resolve("environ"), StandardCharsets.ISO_8859_1);
            if (variables.isEmpty()) {
                return hasMemory(folder) ? Mark.NO_VARIABLES : Mark.NO;
            }
            return ("\0" + variables).contains(text) ? Mark.YES : Mark.NO;
        } catch (IOException goneOrOfAnotherUser) {
            return Mark.NO;
        }
    }

    /** Whether a process has memory; a kernel thread and a zombie have none. */
    private static boolean hasMemory(Path folder) throws IOException {
        return !Files.readString(folder.resolve("statm")).startsWith("0 ");
    }

    private boolean areKnown(List<Path> folders) {
        var begun = new ArrayList<ProcessHandle>();
        folders.stream()
                .filter(WorkerMark::hasArguments)
                .forEach(folder -> ProcessHandle.of(pid(folder)).ifPresent(begun::add));
        empty.retain(begun);
        var known = begun.stream().filter(empty::isKnown).count();
        return known == folders.size();
    }

    /** Whether a process has arguments; one that is about to begin a program has none yet. */
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

    /** The result of checking one process. */
    private enum Mark {
        YES,
        /** The process is about to begin a program, or was started without variables. */
        NO_VARIABLES,
        NO
    }

    /**
     * Remembers processes that were started without environment variables.
     *
     * <p>A process that is about to begin a program shows no variables either, but only for a moment, and no arguments.
     * So a process is known to have none after many scans in a row. A process is identified by its id and its start
     * time. Shared by all marks of a pool, so that such a process delays only the first scan. Any thread may use it.
     */
    public static final class EmptyEnvironments {
        /** The number of scans in a row after which a process is known to have no variables. */
        public static final int SCANS_NEEDED = 10;

        private final Map<ProcessHandle, Integer> scans = new ConcurrentHashMap<>();

        /**
         * Records a scan in which a process showed arguments and no variables; returns whether it is known to have
         * none.
         */
        boolean isKnown(ProcessHandle process) {
            return scans.merge(process, 1, (before, one) -> Math.min(before + one, SCANS_NEEDED)) == SCANS_NEEDED;
        }

        /** Removes the processes that were not seen in the last scan. */
        void retain(Collection<ProcessHandle> seen) {
            scans.keySet().retainAll(seen);
        }
    }
}
