package io.mcpbridge.sandbox.worker.internal.mark;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Processes that were started without any variables, and so will never show one; whoever is about to begin a program shows
 * none for a moment only, and no arguments either. Known are those that have shown none at so many looks in a row; a process
 * is its number and the moment of its start. Shared by whoever looks, so that one of them costs only the first its time. Any
 * thread may use it.
 */
public final class BareProcesses {
    /** So many looks in a row make one known. */
    public static final int ENOUGH_LOOKS = 10;

    private final Map<ProcessHandle, Integer> looks = new ConcurrentHashMap<>();

    /** Notes a look at which it showed arguments and no variables; returns whether it is known by now. */
    boolean isKnown(ProcessHandle process) {
        return looks.merge(process, 1, (before, one) -> Math.min(before + one, ENOUGH_LOOKS)) == ENOUGH_LOOKS;
    }

    /** Forgets whoever did not show itself so at the last look. */
    void keepOnly(Collection<ProcessHandle> seen) {
        looks.keySet().retainAll(seen);
    }
}
