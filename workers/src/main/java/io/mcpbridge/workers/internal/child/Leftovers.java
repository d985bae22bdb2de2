package io.mcpbridge.workers.internal.child;

import io.mcpbridge.workers.internal.mark.ProcessSweep;
import io.mcpbridge.workers.internal.mark.ProcessSweep.Scan;
import io.mcpbridge.workers.internal.mark.WorkerMark;
import io.mcpbridge.workers.internal.mark.WorkerMark.EmptyEnvironments;
import java.io.FileDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds what a call left behind in this worker, so that another worker takes its place: threads, changed standard
 * streams, and processes, with parents or without.
 *
 * <p>A worker in a process namespace of its own sees only its own processes. Elsewhere they are recognized by the mark
 * of the worker.
 */
final class Leftovers {
    /** The JDK starts such a thread beside each process, and looking for threads costs little. */
    private static final String REAPER_THREAD = "process reaper";

    /** After so many scans, a process without variables is known to have none, or has begun its program. */
    private static final int MAX_SCANS = EmptyEnvironments.SCANS_NEEDED + 2;

    /** One scan is not enough: it may miss a process that begins a program meanwhile. */
    private static final int EMPTY_SCANS = 3;

    private static final int USUAL_THREADS = 32;
    private static final ThreadGroup ALL_THREADS = topGroup();

    private final Supplier<Scan> scan;
    private final List<Object> streams = standardStreams();

    private Leftovers(Supplier<Scan> scan) {
        this.scan = scan;
    }

    /** For a worker that sees processes of others. */
    static Leftovers amongOthers() {
        return amongOthers(WorkerMark.of(System.getenv(), new EmptyEnvironments()));
    }

    /** For a worker that sees processes of others, with a mark that this process need not have. */
    static Leftovers amongOthers(Optional<WorkerMark> mark) {
        return new Leftovers(() -> markedProcesses(mark));
    }

    /** For a worker that sees no processes but its own. */
    static Leftovers alone() {
        return new Leftovers(() -> new Scan(otherProcesses(), true));
    }

    /** Says what is left beside the calling thread, a thread of {@code group}; empty if nothing is. */
    String describe(ThreadGroup group) {
        for (var each : threads(group)) {
            if (each != Thread.currentThread()) {
                return "the thread '%s'".formatted(each.getName());
            }
        }
        if (!standardStreams().equals(streams)) {
            return "a standard stream of its own";
        }
        if (!areFilesOpen()) {
            return "a standard stream that is closed";
        }
        var processes = countProcesses();
        return processes == 0 ? "" : "%d processes".formatted(processes);
    }

    private static List<Object> standardStreams() {
        return Arrays.asList(System.in, System.out, System.err);
    }

    /** A tool that closes one of these files ends the connection to the pool. */
    private static boolean areFilesOpen() {
        return FileDescriptor.in.valid() && FileDescriptor.out.valid() && FileDescriptor.err.valid();
    }

    /**
     * Counts processes without waiting. Counts one if repeated scans cannot judge a process. Cheap where no process was started lately.
     */
    int countProcesses() {
        if (!hasStartedProcesses()) {
            return 0;
        }
        int empty = 0;
        for (int scans = 0; scans < MAX_SCANS; scans++) {
            var seen = scan.get();
            if (!seen.found().isEmpty()) {
                return seen.found().size();
            }
            empty = seen.isComplete() ? empty + 1 : 0;
            if (empty == EMPTY_SCANS) {
                return 0;
            }
        }
        return 1;
    }

    /** Kills the processes that are left. */
    void endProcesses() {
        ProcessSweep.killAll(scan);
    }

    private static boolean hasStartedProcesses() {
        for (var thread : threads(ALL_THREADS)) {
            if (thread.getName().startsWith(REAPER_THREAD)) {
                return true;
            }
        }
        return false;
    }

    private static Scan markedProcesses(Optional<WorkerMark> mark) {
        var found = ProcessHandle.current().descendants().collect(Collectors.toCollection(LinkedHashSet::new));
        var marked = mark.map(WorkerMark::scan).orElse(new Scan(List.of(), true));
        found.addAll(marked.found());
        return new Scan(found, marked.isComplete());
    }

    /** All but this process and those that guard it. */
    private static Collection<ProcessHandle> otherProcesses() {
        var others = ProcessHandle.allProcesses().collect(Collectors.toCollection(ArrayList::new));
        Stream.iterate(
                        Optional.of(ProcessHandle.current()),
                        Optional::isPresent,
                        each -> each.flatMap(ProcessHandle::parent))
                .forEach(each -> others.remove(each.get()));
        return others;
    }

    private static ThreadGroup topGroup() {
        var group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    /** The running threads of a group and of the groups in it. */
    private static List<Thread> threads(ThreadGroup group) {
        var found = new Thread[USUAL_THREADS];
        var count = group.enumerate(found);
        while (count == found.length) {
            found = new Thread[2 * found.length];
            count = group.enumerate(found);
        }
        return Arrays.stream(found).filter(Objects::nonNull).toList();
    }
}
