package io.mcpbridge.workers.internal.mark;

import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

/** Kills processes that may start others or be invisible for a moment during the search. For threads that may block. */
public final class ProcessSweep {
    private static final int MAX_SCANS = 30;

    /** The number of scans in a row that must find no process: one may miss a process that is just starting. */
    private static final int EMPTY_SCANS = 3;

    private static final long PAUSE_MILLIS = 3;

    private ProcessSweep() {}

    /**
     * The processes that were found in one pass over all processes.
     *
     * @param isComplete false if a process could not be classified
     */
    public record Scan(Collection<ProcessHandle> found, boolean isComplete) {
        public Scan {
            found = List.copyOf(found);
        }

        private boolean isEmpty() {
            return isComplete && found.isEmpty();
        }
    }

    /**
     * Repeatedly kills the processes that {@code scan} finds, until three scans in a row find none, or after thirty
     * scans. An interrupt does not stop it; the flag is set again.
     */
    public static void killAll(Supplier<Scan> scan) {
        var isInterrupted = false;
        int empty = 0;
        for (int scans = 1; scans <= MAX_SCANS; scans++) {
            var seen = scan.get();
            seen.found().forEach(ProcessHandle::destroyForcibly);
            empty = seen.isEmpty() ? empty + 1 : 0;
            if (empty == EMPTY_SCANS) {
                break;
            }
            isInterrupted |= pause();
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Pauses between scans; returns whether the thread was interrupted. */
    private static boolean pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
            return false;
        } catch (InterruptedException interrupted) {
            return true;
        }
    }
}
