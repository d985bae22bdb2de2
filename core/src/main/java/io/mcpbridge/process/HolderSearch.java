package io.mcpbridge.process;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds processes that hold the standard streams of a child, and so stem from it.
 *
 * <p>Processes that a child left behind are no longer its descendants, but they still have the pipes that they
 * inherited. All processes of the system are looked at for that, so those who ask while others are served share the
 * next look. Made by a launcher; any thread may use it. On systems without {@code /proc} nothing is found.
 */
final class HolderSearch {
    private static final long OURSELVES = ProcessHandle.current().pid();

    /** Held during a look, which reads what the system has in memory; those who share the next one wait for it. */
    private final ReentrantLock looking = new ReentrantLock();

    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private Round next = new Round();

    /** A process, and the pipes that it holds. */
    record Holder(ProcessHandle process, Pipes pipes) {}

    /** What some ask for together. Its pipes are added under the lock until the look begins, and read during it. */
    private static final class Round {
        private final Set<String> pipes = new HashSet<>();
        private @Nullable List<Holder> found;
    }

    /** Every process that holds one of the pipes, and maybe some that hold others, save ourselves at their other ends. */
    List<Holder> find(Set<String> pipes) {
        return pipes.isEmpty() ? List.of() : outcome(join(pipes));
    }

    private Round join(Set<String> pipes) {
        lock.lock();
        try {
            next.pipes.addAll(pipes);
            return next;
        } finally {
            lock.unlock();
        }
    }

    private List<Holder> outcome(Round round) {
        looking.lock();
        try {
            var found = round.found;
            if (found == null) {
                found = look(begin(round));
                round.found = found;
            }
            return found;
        } finally {
            looking.unlock();
        }
    }

    /** Nobody joins it any more; returns the pipes to look for. */
    private Set<String> begin(Round round) {
        lock.lock();
        try {
            if (next == round) {
                next = new Round();
            }
            return round.pipes;
        } finally {
            lock.unlock();
        }
    }

    private static List<Holder> look(Set<String> wanted) {
        var found = new ArrayList<Holder>();
        try (var folders = Files.newDirectoryStream(Pipes.PROCESSES, "[0-9]*")) {
            for (var folder : folders) {
                var pid = Long.parseLong(folder.getFileName().toString());
                holder(pid, wanted).ifPresent(found::add);
            }
        } catch (IOException | DirectoryIteratorException unreadable) {
            // What was found so far is better than nothing.
        }
        return found;
    }

    /** The handle is taken before the look that counts, so that it cannot mean a later process of the same number. */
    private static Optional<Holder> holder(long pid, Set<String> wanted) {
        if (pid == OURSELVES || !Pipes.of(pid).shareOneOf(wanted)) {
            return Optional.empty();
        }
        return ProcessHandle.of(pid)
                .map(process -> new Holder(process, Pipes.of(pid)))
                .filter(holder -> holder.pipes().shareOneOf(wanted));
    }
}
