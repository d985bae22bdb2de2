package io.mcpbridge.upstream.isolation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The processes that wait for the next round of their call, by what that is known by. For one thread at a time: the
 * pool guards it.
 */
final class KeptChildren<C extends PooledChild> {
    private final Map<Round, C> children = new LinkedHashMap<>();

    int size() {
        return children.size();
    }

    /** Keeps one; returns the one that was kept for the same round before. */
    Optional<C> put(Round round, C child) {
        return Optional.ofNullable(children.put(round, child));
    }

    /** Takes the one that was kept for this round, unless it has ended. */
    Optional<C> take(Round round) {
        var child = Optional.ofNullable(children.get(round))
                .filter(kept -> kept.failure().isEmpty());
        child.ifPresent(kept -> children.remove(round));
        return child;
    }

    /** Whether this very one was kept for this round; it is no longer. */
    boolean remove(Round round, C child) {
        return children.remove(round, child);
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
