package io.mcpbridge.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds processes that hold the standard streams of a child, and therefore descend from it.
 *
 * <p>Orphans of a child are no longer its descendants, but still hold the inherited pipes. A search reads all processes
 * of the system, so callers that arrive during a search share the next one. A launcher creates one; any thread may use
 * it. On systems without {@code /proc} it finds nothing.
 */
final class PipeHolders {
    private static final Path PROCESSES = Path.of("/proc");
    private static final long OURSELVES = ProcessHandle.current().pid();

    /** Held during a search, which does not block on I/O; the callers of the next search wait for it. */
    private final ReentrantLock searching = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Search next = new Search();

    /** A process, and the pipes that it holds. */
    record Holder(ProcessHandle process, Pipes pipes) {}

    /**
     * The pipes behind the standard streams of a process, by the names that the system gives them.
     *
     * @param names none on systems without {@code /proc}, or if the process belongs to another user
     */
    record Pipes(Set<String> names) {
        private static final int STANDARD_STREAMS = 3;

        Pipes {
            names = Set.copyOf(names);
        }

        static Pipes of(long pid) {
            var streams = PROCESSES.resolve(pid + "/fd");
            var names = new HashSet<String>();
            for (int i = 0; i < STANDARD_STREAMS; i++) {
                try {
                    var target = Files.readSymbolicLink(streams.resolve(Integer.toString(i)));
                    if (target.toString().startsWith("pipe:")) {
                        names.add(target.toString());
                    }
                } catch (AccessDeniedException foreign) {
                    break;
                } catch (IOException | UnsupportedOperationException closed) {
                    // A process may have closed a standard stream.
                }
            }
            return new Pipes(names);
        }

        boolean overlap(Set<String> others) {
            return names.stream().anyMatch(others::contains);
        }
    }

    /** One search for several callers. Its pipes are added under the lock until it begins, and read during it. */
    private static final class Search {
        private final Set<String> pipes = new HashSet<>();
        private @Nullable List<Holder> found;
    }

    /** Returns every process that holds one of the pipes, and maybe some that hold others; never this process. */
    List<Holder> find(Set<String> pipes) {
        return pipes.isEmpty() ? List.of() : outcome(join(pipes));
    }

    private Search join(Set<String> pipes) {
        lock.lock();
        try {
            next.pipes.addAll(pipes);
            return next;
        } finally {
            lock.unlock();
        }
    }

    private List<Holder> outcome(Search search) {
        searching.lock();
        try {
            var found = search.found;
            if (found == null) {
                found = scan(begin(search));
                search.found = found;
            }
            return found;
        } finally {
            searching.unlock();
        }
    }

    /** Closes a search for other callers; returns the pipes to look for. */
    private Set<String> begin(Search search) {
        lock.lock();
        try {
            if (next == search) {
                next = new Search();
            }
            return search.pipes;
        } finally {
            lock.unlock();
        }
    }

    private static List<Holder> scan(Set<String> wanted) {
        var found = new ArrayList<Holder>();
        try (var folders = Files.newDirectoryStream(PROCESSES, "[0-9]*")) {
            for (var folder : folders) {
                var pid = Long.parseLong(folder.getFileName().toString());
                holder(pid, wanted).ifPresent(found::add);
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // Returns the processes found so far.
        }
        return found;
    }

    /** Creates the handle before the final check, so that it cannot refer to a later process with the same id. */
    private static Optional<Holder> holder(long pid, Set<String> wanted) {
        if (pid == OURSELVES || !Pipes.of(pid).overlap(wanted)) {
            return Optional.empty();
        }
        return ProcessHandle.of(pid)
                .map(process -> new Holder(process, Pipes.of(pid)))
                .filter(holder -> holder.pipes().overlap(wanted));
    }
}
