package io.mcpbridge.upstream.isolation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The processes that wait for the next round of their call, by the state that it comes with. For one thread at a time:
 * the pool guards it.
 */
final class KeptChildren<C extends PooledChild> {
    private final Map<String, C> children = new LinkedHashMap<>();

    int size() {
        return children.size();
    }

    /** Keeps one; returns the one that was kept for the same state before. */
    Optional<C> put(String state, C child) {
        return Optional.ofNullable(children.put(state, child));
    }

    /** Takes the one that was kept for this state, unless it has ended. */
    Optional<C> take(String state) {
        var child = Optional.ofNullable(children.get(state))
                .filter(kept -> kept.failure().isEmpty());
        child.ifPresent(kept -> children.remove(state));
        return child;
    }

    /** Whether this very one was kept for this state; it is no longer. */
    boolean remove(String state, C child) {
        return children.remove(state, child);
    }

    boolean remove(C child) {
        return children.values().remove(child);
    }

    /** Takes the one that was kept the longest. */
    Optional<C> takeOldest() {
        var oldest = children.keySet().stream().findFirst();
        return oldest.map(children::remove);
    }

    List<C> takeAll() {
        var all = List.copyOf(children.values());
        children.clear();
        return all;
    }

    boolean hasOneOf(Shelf<C> shelf) {
        return children.values().stream().anyMatch(child -> child.kind().equals(shelf.kind()));
    }
}
