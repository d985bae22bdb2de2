package io.mcpbridge.process;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A child and every process known to stem from it.
 *
 * <p>A process whose parent ends gets another parent and is no descendant any more, so those that were seen
 * once are remembered. A {@link ProcessHandle} knows when its process began and does not touch another one
 * that got the same number later. Any thread may use it.
 */
final class ProcessTree {
    private final ProcessHandle root;
    private final PipeHolders holders;
    private final boolean isGuarded;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<ProcessHandle> known = new LinkedHashSet<>();

    ProcessTree(ProcessHandle root) {
        this(root, PipeHolders.of(root));
    }

    ProcessTree(ProcessHandle root, PipeHolders holders) {
        this(root, holders, false);
    }

    private ProcessTree(ProcessHandle root, PipeHolders holders, boolean isGuarded) {
        this.root = root;
        this.holders = holders;
        this.isGuarded = isGuarded;
        known.add(root);
    }

    /** A tree whose root kills all of it when it ends itself, and ends when the child below it does. */
    static ProcessTree guarded(ProcessHandle guard) {
        return new ProcessTree(guard, PipeHolders.of(guard), true);
    }

    /** Looks again who belongs to the tree; called before each step, while parents are still there. */
    void look() {
        for (var each : members()) {
            if (each.isAlive()) {
                add(each.descendants().toList());
            }
        }
        add(holders.find());
    }

    /** The child itself was collected, and nobody may be signalled by its number any more. */
    void forgetRoot() {
        lock.lock();
        try {
            known.remove(root);
        } finally {
            lock.unlock();
        }
    }

    /** Sends TERM to all that are there, save a guard. */
    void terminate() {
        signal(each -> {
            if (!isGuarded || !each.equals(root)) {
                each.destroy();
            }
        });
    }

    /** Sends KILL to all that are there. */
    void kill() {
        signal(ProcessHandle::destroyForcibly);
    }

    /** Whether nobody is left, as far as is known. */
    boolean isGone() {
        return members().stream().allMatch(Zombies::isGone);
    }

    private void signal(Consumer<ProcessHandle> send) {
        members().stream().filter(each -> !Zombies.isGone(each)).forEach(send);
    }

    private void add(List<ProcessHandle> found) {
        lock.lock();
        try {
            known.addAll(found);
        } finally {
            lock.unlock();
        }
    }

    private List<ProcessHandle> members() {
        lock.lock();
        try {
            known.removeIf(each -> !each.equals(root) && !each.isAlive());
            return List.copyOf(known);
        } finally {
            lock.unlock();
        }
    }
}
