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
 * Finds the threads, changed standard streams and processes, orphans included, that a call left behind in this worker.
 * Such a worker is replaced.
 *
 * <p>A worker in its own process namespace sees only its own processes. Other workers recognize their processes by the
 * mark of the worker.
 */
final class CallLeakDetector {
    /** The name of the thread that the JDK starts beside each process; a cheap sign that processes were started. */
    private static final String REAPER_THREAD = "process reaper";

    /** The most scans; by then a process without variables is known to have none, or has begun its program. */
    private static final int MAX_SCANS = EmptyEnvironments.SCANS_NEEDED + 2;

    /**
     * The number of scans in a row that must find no process: one may miss a process that is just beginning a program.
     */
    private static final int EMPTY_SCANS = 3;

    private static final int USUAL_THREADS = 32;
    private static final ThreadGroup ALL_THREADS = topGroup();

    private final Supplier<Scan> scan;
    private final List<Object> streams = standardStreams();

    private CallLeakDetector(Supplier<Scan> scan) {
        this.scan = scan;
    }

    /** Makes the finder of a worker that sees processes of others; its mark comes from the environment. */
    static CallLeakDetector amongOthers() {
        return amongOthers(WorkerMark.of(System.getenv(), new EmptyEnvironments()));
    }

    /** Makes the finder of a worker that sees processes of others, with another mark. */
    static CallLeakDetector amongOthers(Optional<WorkerMark> mark) {
        return new CallLeakDetector(() -> markedProcesses(mark));
    }

    /** Makes the finder of a worker that sees only its own processes. */
    static CallLeakDetector alone() {
        return new CallLeakDetector(() -> new Scan(otherProcesses(), true));
    }

    /**
     * Describes the leftovers in words, except for the calling thread, which is in {@code group}; empty if there are
     * none.
     */
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

    /**
     * Whether the descriptors of the standard streams are open; a tool that closes one ends the connection to the pool.
     */
    private static boolean areFilesOpen() {
        return FileDescriptor.in.valid() && FileDescriptor.out.valid() && FileDescriptor.err.valid();
    }

    /**
     * Counts processes without blocking. Counts one if repeated scans cannot classify a process. Cheap if no process
     * was started recently.
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

    /** Kills the processes that a call left behind. */
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

    /** All processes except this one and its ancestors. */
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
