package io.mcpbridge.sandbox.worker.internal.child;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Processes that tools have started and that are still there. Those that have lost their parents are seen only by a worker
 * that is alone with its own: there nobody else can be what is neither the worker nor what guards it.
 */
final class Orphans {
    /** Every process that Java starts has such a thread of ours beside it, and looking for threads costs little. */
    private static final String SIGN = "process reaper";

    private static final int MOST_ROUNDS = 5;

    private final boolean isAlone;

    private Orphans(boolean isAlone) {
        this.isAlone = isAlone;
    }

    /** Where processes of others can be seen. */
    static Orphans amongOthers() {
        return new Orphans(false);
    }

    /** Where all processes that can be seen are the worker's. */
    static Orphans alone() {
        return new Orphans(true);
    }

    /** How many there are; cheap where no process was started lately. */
    int count() {
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

    private List<ProcessHandle> all() {
        var self = ProcessHandle.current();
        if (!isAlone) {
            return self.descendants().toList();
        }
        var others = ProcessHandle.allProcesses().collect(Collectors.toCollection(ArrayList::new));
        Stream.iterate(Optional.of(self), Optional::isPresent, each -> each.flatMap(ProcessHandle::parent))
                .forEach(each -> others.remove(each.get()));
        return others;
    }

    /** Kills them; again, as long as some are found that were started meanwhile. */
    void endAll() {
        for (int round = 0; round < MOST_ROUNDS; round++) {
            var found = all();
            if (found.isEmpty()) {
                return;
            }
            found.forEach(ProcessHandle::destroyForcibly);
        }
    }
}
