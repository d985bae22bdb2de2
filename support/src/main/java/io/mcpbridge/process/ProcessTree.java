package io.mcpbridge.process;

import io.mcpbridge.process.PipeHolders.Holder;
import io.mcpbridge.process.PipeHolders.Pipes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;

/**
 * A child and every process that is known to descend from it.
 *
 * <p>A process whose parent ends gets another parent and is no descendant any more, so those that were seen once are
 * remembered. A {@link ProcessHandle} knows when its process began and does not touch a later one with the same number.
 * Any thread may use it.
 */
final class ProcessTree {
    private static final Path PROCESSES = Path.of("/proc");

    private final ProcessHandle root;
    private final Pipes pipes;
    private final boolean isGuarded;

    /** In the order in which they were found, the root first. */
    private final Set<ProcessHandle> known = new CopyOnWriteArraySet<>();

    /**
     * Creates the tree of a child that was started right now.
     *
     * @param isGuarded whether the root kills all of the tree when it ends itself, and ends when the child below it does
     */
    ProcessTree(ProcessHandle root, boolean isGuarded) {
        this.root = root;
        this.pipes = Pipes.of(root.pid());
        this.isGuarded = isGuarded;
        known.add(root);
    }

    boolean isGuarded() {
        return isGuarded;
    }

    /** The pipes that every process of the tree inherited from its root, and most have kept. */
    Pipes pipes() {
        return pipes;
    }

    /** Adds new descendants of the known processes; called before each step, while parents still exist. */
    void update() {
        var found = new LinkedHashSet<ProcessHandle>();
        for (var each : members()) {
            // Each look is a pass over all processes of the system, so those that were just found get none.
            if (!found.contains(each) && mayHaveChildren(each)) {
                each.descendants().forEach(found::add);
            }
        }
        known.addAll(found);
    }

    /**
     * False if a process has no children or has ended; true if that is not known. Quick where Linux lists children by their
     * parent.
     */
    static boolean mayHaveChildren(ProcessHandle process) {
        if (!process.isAlive()) {
            return false;
        }
        var threads = PROCESSES.resolve(process.pid() + "/task");
        try (var folders = Files.newDirectoryStream(threads)) {
            for (var thread : folders) {
                if (hasChildren(thread)) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException unreadable) {
            return process.isAlive();
        }
    }

    private static boolean hasChildren(Path thread) throws IOException {
        try (var children = Files.newInputStream(thread.resolve("children"))) {
            return children.read() >= 0;
        }
    }

    /** Adds those of the holders that have pipes of this tree. */
    void addHolders(List<Holder> holders) {
        known.addAll(holders.stream()
                .filter(holder -> holder.pipes().overlap(pipes.names()))
                .map(Holder::process)
                // The root is known from the start, and must not come back once it was reaped.
                .filter(holder -> !holder.equals(root))
                .toList());
    }

    /** Forgets the child itself: it was reaped, and its number must not be signalled any more. */
    void forgetRoot() {
        known.remove(root);
    }

    /** Sends TERM to all processes, except a guard. */
    void terminate() {
        signal(each -> {
            if (!isGuarded || !each.equals(root)) {
                each.destroy();
            }
        });
    }

    /** Sends KILL to all processes. */
    void kill() {
        signal(ProcessHandle::destroyForcibly);
    }

    /** Whether no known process is left. */
    boolean isGone() {
        return members().stream().allMatch(ProcessTree::hasEnded);
    }

    private void signal(Consumer<ProcessHandle> send) {
        members().stream().filter(each -> !hasEnded(each)).forEach(send);
    }

    /**
     * Whether a process has ended, even if it is a zombie. An orphan belongs to the first process of the system, which in a
     * container may never reap it: the JDK would call it alive for ever.
     */
    private static boolean hasEnded(ProcessHandle process) {
        return !process.isAlive() || state(process.pid()) == 'Z';
    }

    private static char state(long pid) {
        try {
            var line = Files.readString(PROCESSES.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            // The state follows the name, which is in brackets and may contain brackets.
            var name = line.lastIndexOf(')');
            return name < 0 || name + 2 >= line.length() ? '?' : line.charAt(name + 2);
        } catch (IOException unreadable) {
            return '?';
        }
    }

    private List<ProcessHandle> members() {
        known.removeIf(each -> !each.equals(root) && !each.isAlive());
        return List.copyOf(known);
    }
}
