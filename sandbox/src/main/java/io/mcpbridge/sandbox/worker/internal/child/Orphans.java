package io.mcpbridge.sandbox.worker.internal.child;

import java.util.List;

/** Processes that tools have started and that are still there. */
final class Orphans {
    /** Every process that Java starts has such a thread of ours beside it, and looking for threads costs little. */
    private static final String SIGN = "process reaper";

    private static final int MOST_ROUNDS = 5;

    private Orphans() {}

    /** How many there are; cheap where no process was started lately. */
    static int count() {
        return isAnyLikely() ? all().size() : 0;
    }

    private static boolean isAnyLikely() {
        for (var thread : Threads.all()) {
            if (thread.getName().startsWith(SIGN)) {
                return true;
            }
        }
        return false;
    }

    private static List<ProcessHandle> all() {
        return ProcessHandle.current().descendants().toList();
    }

    /** Kills them; again, as long as some are found that were started meanwhile. */
    static void endAll() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            var found = all();
            if (found.isEmpty()) {
                return;
            }
            found.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
