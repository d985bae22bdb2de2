package io.mcpbridge.process;

import java.util.Collection;
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
    private final Pipes pipes;
    private final boolean isGuarded;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<ProcessHandle> known = new LinkedHashSet<>();

    private ProcessTree(ProcessHandle root, boolean isGuarded) {
        this.root = root;
        this.pipes = Pipes.of(root.pid());
        this.isGuarded = isGuarded;
        known.add(root);
    }

    /** The tree of a child that was started right now. */
    static ProcessTree of(ProcessHandle root) {
        return new ProcessTree(root, false);
    }

    /** A tree whose root kills all of it when it ends itself, and ends when the child below it does. */
    static ProcessTree guarded(ProcessHandle guard) {
        return new ProcessTree(guard, true);
    }

    boolean isGuarded() {
        return isGuarded;
    }

    /** What everybody in the tree got from its root, and most have kept. */
    Pipes pipes() {
        return pipes;
    }

    /** Looks again who stems from those that are known; called before each step, while parents are still there. */
    void look() {
        var found = new LinkedHashSet<ProcessHandle>();
        for (var each : members()) {
            // Looking costs a pass over all processes of the system, so those that were just found are not looked at.
            if (!found.contains(each) && Offspring.mayBeThere(each)) {
                each.descendants().forEach(found::add);
            }
        }
        add(found);
    }

    /** Takes in those of the holders that have pipes of this tree. */
    void addHolders(List<HolderSearch.Holder> holders) {
        add(holders.stream()
                .filter(holder -> holder.pipes().shareOneOf(pipes.names()))
                .map(HolderSearch.Holder::process)
                // It is known from the start, and not to come back once it was collected.
                .filter(holder -> !holder.equals(root))
                .toList());
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

    private void add(Collection<ProcessHandle> found) {
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
