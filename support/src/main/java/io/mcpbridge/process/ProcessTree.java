package io.mcpbridge.process;

import io.mcpbridge.process.PipeHolders.Holder;
import io.mcpbridge.process.PipeHolders.Pipes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A child process and its known descendants.
 *
 * <p>A process whose parent ends gets another parent and is no longer a descendant, so a process that was found once is
 * remembered. A {@link ProcessHandle} includes the start time of its process and does not affect a later process with
 * the same id. Any thread may use it.
 */
final class ProcessTree {
    private static final Path PROCESSES = Path.of("/proc");

    private final ProcessHandle root;
    private final Pipes pipes;
    private final boolean isGuarded;

    /** In the order of discovery, the root first; a tree may have ten thousand processes. */
    private final Set<ProcessHandle> known = Collections.synchronizedSet(new LinkedHashSet<>());

    /**
     * Creates the tree of a child that has just started.
     *
     * @param isGuarded whether the root kills the whole tree when it ends, and ends when the child below it does
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
            // Each lookup scans all processes of the system, so the newly found ones are not looked up.
            if (!found.contains(each) && mayHaveChildren(each)) {
                each.descendants().forEach(found::add);
            }
        }
        known.addAll(found);
    }

    /**
     * False if a process has no children or has ended; true if that is unknown. Fast on Linux kernels that list the
     * children of each process.
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

    /** Adds the holders of pipes of this tree. */
    void addHolders(List<Holder> holders) {
        known.addAll(holders.stream()
                .filter(holder -> holder.pipes().overlap(pipes.names()))
                .map(Holder::process)
                // The root is known from the start, and must not be added again after it was reaped.
                .filter(holder -> !holder.equals(root))
                .toList());
    }

    /** Forgets the root, which was reaped: its id must not be signalled any more. */
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
