package io.mcpbridge.upstream.isolation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Who is where in a {@link ChildPool}: which processes stand ready, have a call or are kept for its next round, and which
 * calls wait. For one thread at a time: the pool guards it.
 */
final class PoolRoom<C extends PooledChild> {
    private final int warm;
    private final Consumer<C> ending;
    private final Map<ChildKind, Shelf<C>> shelves = new LinkedHashMap<>();
    private final WaitingGuests<C> waiting = new WaitingGuests<>();
    private final KeptChildren<C> kept = new KeptChildren<>();
    private final Map<C, Shelf<C>> busy = new HashMap<>();
    private String lastError = "";
    private String startError = "";

    /**
     * Makes an empty one.
     *
     * @param warm how many of each kind may stand ready
     * @param ending ends those for which there is no use
     */
    PoolRoom(int warm, Consumer<C> ending) {
        this.warm = warm;
        this.ending = ending;
    }

    @Nullable
    Shelf<C> shelf(ChildKind kind) {
        return shelves.get(kind);
    }

    void add(Shelf<C> shelf) {
        shelves.put(shelf.kind(), shelf);
    }

    /** Calls that wait for a process. */
    WaitingGuests<C> waiting() {
        return waiting;
    }

    /** A process for a call that is ready now, and busy from here on. */
    @Nullable
    C take(Shelf<C> shelf) {
        var child = shelf.poll();
        if (child != null) {
            begin(child, shelf);
        }
        return child;
    }

    private void begin(C child, Shelf<C> shelf) {
        busy.put(child, shelf);
        shelf.busy(1);
    }

    /** A start has brought a process; returns the call that it is for, if one waits. */
    @Nullable
    Guest<C> arrived(C child, Shelf<C> shelf) {
        shelf.starting(-1);
        startError = "";
        return place(child, shelf);
    }

    private @Nullable Guest<C> place(C child, Shelf<C> shelf) {
        var guest = waiting.poll(shelf);
        if (guest != null) {
            begin(child, shelf);
        } else if (shelf.idle().size() < warm) {
            shelf.idle().add(child);
        } else {
            ending.accept(child);
        }
        return guest;
    }

    /** A start has come to nothing. */
    void missed(Shelf<C> shelf, String why) {
        shelf.starting(-1);
        lastError = why;
        startError = why;
    }

    /** A call was withdrawn before it had begun in its process; returns who has it instead, if anybody waits. */
    @Nullable
    Guest<C> returned(C child) {
        var shelf = leave(child);
        return shelf == null ? null : place(child, shelf);
    }

    /** The call of this process is over; its shelf, or null if that was said before. */
    @Nullable
    Shelf<C> leave(C child) {
        var shelf = busy.remove(child);
        if (shelf != null) {
            shelf.busy(-1);
        }
        return shelf;
    }

    /** A process has ended by itself; false if it has a call, or is to end anyway. */
    boolean died(C child, Shelf<C> shelf, String why) {
        var wasUnused = shelf.idle().remove(child) || kept.remove(child);
        if (wasUnused) {
            lastError = why;
        }
        return wasUnused;
    }

    /** Keeps a process that is busy with nothing until the next round of its call comes. */
    void keep(Round next, C child) {
        kept.put(next, child).ifPresent(ending);
    }

    /** The process that was kept for this round, which is busy again. */
    Optional<C> resume(Round round) {
        var child = kept.take(round);
        child.ifPresent(found -> begin(found, Objects.requireNonNull(shelves.get(found.kind()))));
        return child;
    }

    /** It is kept no longer, if it still was. */
    void lapse(Round round, C child) {
        if (kept.remove(round, child)) {
            ending.accept(child);
        }
    }

    /** Ends one that has no call, of those that were used the longest ago; false if there is none. */
    boolean evict() {
        var byUse = byUse();
        for (int i = byUse.size() - 1; i >= 0; i--) {
            var child = byUse.get(i).poll();
            if (child != null) {
                ending.accept(child);
                return true;
            }
        }
        var oldest = kept.takeOldest();
        oldest.ifPresent(ending);
        return oldest.isPresent();
    }

    /** The shelves, the one that was used last first. */
    List<Shelf<C>> byUse() {
        var sorted = new ArrayList<>(shelves.values());
        sorted.sort(
                Comparator.comparingLong((Shelf<C> shelf) -> shelf.lastUsed()).reversed());
        return sorted;
    }

    /** Whether processes of this kind are of use to nobody now, save for what is ready. */
    boolean isQuiet(Shelf<C> shelf) {
        return shelf.isQuiet() && !kept.hasOneOf(shelf);
    }

    /** Nobody wants processes of this kind; those that are ready end. */
    void drop(Shelf<C> shelf) {
        shelves.remove(shelf.kind());
        endIdle(shelf);
    }

    /** Those that have ended by themselves included: nobody hears of that any more, so each gives its place back here. */
    private void endIdle(Shelf<C> shelf) {
        for (var child = shelf.idle().poll();
                child != null;
                child = shelf.idle().poll()) {
            ending.accept(child);
        }
    }

    /** Ends every process, whatever it is at. */
    void clear() {
        shelves.values().forEach(this::endIdle);
        kept.takeAll().forEach(ending);
        for (var child : List.copyOf(busy.keySet())) {
            leave(child);
            ending.accept(child);
        }
    }

    PoolFigures figures(Places places) {
        var ready =
                shelves.values().stream().mapToInt(shelf -> shelf.idle().size()).sum();
        var starting = shelves.values().stream().mapToInt(Shelf::starting).sum();
        var used = busy.size() + kept.size();
        var areAllStarting = starting > 0 && starting == places.taken();
        var isHopeless =
                shelves.values().stream().anyMatch(shelf -> shelf.idle().isEmpty() && shelf.isHopeless());
        return new PoolFigures(
                ready,
                used,
                places.taken(),
                places.max(),
                waiting.size(),
                places.started(),
                lastError,
                ready + used > 0 ? "" : unready(areAllStarting ? starting : 0),
                isHopeless);
    }

    private String unready(int starting) {
        return startError.isEmpty() && starting > 0 ? "%d are still being started".formatted(starting) : startError;
    }
}
