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
    private static final int MOST_LOOKS = BareProcesses.ENOUGH_LOOKS;

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
        var seen = look();
        for (int looks = 1; looks < MOST_LOOKS && !seen.isSure(); looks++) {
            seen = look();
        }
        return seen.isSure() ? seen.found().size() : Math.max(1, seen.found().size());
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
