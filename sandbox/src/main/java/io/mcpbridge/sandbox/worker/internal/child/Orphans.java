package io.mcpbridge.sandbox.worker.internal.child;

import io.mcpbridge.sandbox.worker.internal.mark.BareProcesses;
import io.mcpbridge.sandbox.worker.internal.mark.Sighting;
import io.mcpbridge.sandbox.worker.internal.mark.Sweep;
import io.mcpbridge.sandbox.worker.internal.mark.WorkerMark;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Processes that tools have started and that are still there, with parents or without. A worker that is alone with its own
 * sees them all, since nobody else can be there but what guards it; among others they are known by its mark.
 */
final class Orphans {
    /** Every process that Java starts has such a thread of ours beside it, and looking for threads costs little. */
    private static final String SIGN = "process reaper";

    /** Whoever shows no variables is known by then to have none, or has begun its program. */
    private static final int MOST_LOOKS = BareProcesses.ENOUGH_LOOKS + 2;

    /** A single one is not enough: whoever begins a program during a look may not be seen by it. */
    private static final int EMPTY_LOOKS = 3;

    private final boolean isAlone;
    private final Optional<WorkerMark> mark;

    private Orphans(boolean isAlone, Optional<WorkerMark> mark) {
        this.isAlone = isAlone;
        this.mark = mark;
    }

    /** Where processes of others can be seen. */
    static Orphans amongOthers() {
        return amongOthers(WorkerMark.of(System.getenv(), new BareProcesses()));
    }

    /** The same, with a mark that this process need not have. */
    static Orphans amongOthers(Optional<WorkerMark> mark) {
        return new Orphans(false, mark);
    }

    /** Where all processes that can be seen are the worker's. */
    static Orphans alone() {
        return new Orphans(true, Optional.empty());
    }

    /**
     * How many are seen, and at least one where it cannot be told of somebody, though it looks again and again; does not wait.
     * Cheap where no process was started lately.
     */
    int count() {
        if (!isAnyLikely()) {
            return 0;
        }
        int empty = 0;
        for (int looks = 0; looks < MOST_LOOKS; looks++) {
            var seen = look();
            if (!seen.found().isEmpty()) {
                return seen.found().size();
            }
            empty = seen.isSure() ? empty + 1 : 0;
            if (empty == EMPTY_LOOKS) {
                return 0;
            }
        }
        return 1;
    }

    private static boolean isAnyLikely() {
        for (var thread : Threads.all()) {
            if (thread.getName().startsWith(SIGN)) {
                return true;
            }
        }
        return false;
    }

    private Sighting look() {
        return isAlone ? new Sighting(others(), true) : ours();
    }

    private Sighting ours() {
        var ours = ProcessHandle.current().descendants().collect(Collectors.toCollection(LinkedHashSet::new));
        var marked = mark.map(WorkerMark::look).orElse(new Sighting(List.of(), true));
        ours.addAll(marked.found());
        return new Sighting(ours, marked.isSure());
    }

    private static Collection<ProcessHandle> others() {
        var self = ProcessHandle.current();
        var others = ProcessHandle.allProcesses().collect(Collectors.toCollection(ArrayList::new));
        Stream.iterate(Optional.of(self), Optional::isPresent, each -> each.flatMap(ProcessHandle::parent))
                .forEach(each -> others.remove(each.get()));
        return others;
    }

    /** Kills them, as {@link Sweep} does. */
    void endAll() {
        Sweep.end(this::look);
    }
}
