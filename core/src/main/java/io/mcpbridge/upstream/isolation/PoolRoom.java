package io.mcpbridge.upstream.isolation;

import io.mcpbridge.config.IsolationSettings;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Who is where in a {@link ChildPool}, and what is to be started and ended for that. For one thread at a time: the pool
 * guards it.
 *
 * <p>A process has its place from the moment its start begins until it is gone. Calls come before warming: for one that
 * finds no place, a process of another kind that only stands ready is ended, else one that is kept for a later round.
 */
final class PoolRoom<C extends PooledChild> {
    private final IsolationSettings settings;
    private final Moves<C> moves;
    private final Map<ChildKind, Shelf<C>> shelves = new LinkedHashMap<>();
    private final WaitingGuests<C> waiting = new WaitingGuests<>();
    private final KeptChildren<C> kept = new KeptChildren<>();
    private final Map<C, Shelf<C>> busy = new HashMap<>();
    private int taken;
    private int ending;
    private long started;
    private String lastError = "";
    private String startError = "";

    /** What is begun outside of the room. */
    interface Moves<C extends PooledChild> {
        void start(Shelf<C> shelf);

        void end(C child);

        void kill(C child);
    }

    PoolRoom(IsolationSettings settings, Moves<C> moves) {
        this.settings = settings;
        this.moves = moves;
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
        } else if (shelf.idle().size() < settings.warm()) {
            shelf.idle().add(child);
        } else {
            end(child);
        }
        return guest;
    }

    /** A start has come to nothing; what there is of its process keeps its place until it is {@link #gone}. */
    void missed(Shelf<C> shelf, String why) {
        shelf.starting(-1);
        ending++;
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

    /** The process is to end, and keeps its place until it is {@link #gone}. */
    void end(C child) {
        ending++;
        moves.end(child);
    }

    /** The same, without a chance to end in good order. */
    void kill(C child) {
        ending++;
        moves.kill(child);
    }

    void gone() {
        ending--;
        taken--;
    }

    /** A process has ended by itself; false if it has a call, or is to end anyway. */
    boolean died(C child, Shelf<C> shelf, String why) {
        var wasUnused = shelf.idle().remove(child) || kept.remove(child);
        if (wasUnused) {
            taken--;
            lastError = why;
        }
        return wasUnused;
    }

    /** Keeps a process that is busy with nothing until the next round of its call comes. */
    void keep(Round next, C child) {
        kept.put(next, child).ifPresent(this::end);
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
            end(child);
        }
    }

    /** Starts what is missing, and makes room where that cannot be. */
    void refill() {
        var lacking = startForWaiting();
        for (int i = ending; i < lacking; i++) {
            if (!evict()) {
                return;
            }
        }
        if (lacking == 0) {
            byUse().forEach(this::warm);
        }
    }

    /** Returns how many calls there is no place for. */
    private int startForWaiting() {
        var counted = new HashMap<ChildKind, Integer>();
        var lacking = 0;
        for (var place : waiting.all()) {
            var shelf = place.shelf();
            if (counted.merge(shelf.kind(), 1, Integer::sum) <= shelf.starting()) {
                continue;
            }
            if (taken >= settings.max()) {
                lacking++;
            } else if (!shelf.backoff().holdsOff()) {
                start(shelf);
            }
        }
        return lacking;
    }

    private void warm(Shelf<C> shelf) {
        while (taken < settings.max() && shelf.missing(settings.warm()) > 0) {
            start(shelf);
        }
    }

    private void start(Shelf<C> shelf) {
        taken++;
        started++;
        shelf.starting(1);
        moves.start(shelf);
    }

    /** Ends one that has no call; false if there is none. */
    private boolean evict() {
        var byUse = byUse();
        for (int i = byUse.size() - 1; i >= 0; i--) {
            var child = byUse.get(i).poll();
            if (child != null) {
                end(child);
                return true;
            }
        }
        var oldest = kept.takeOldest();
        oldest.ifPresent(this::end);
        return oldest.isPresent();
    }

    /** The shelves, the one that was used last first. */
    private List<Shelf<C>> byUse() {
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

    private void endIdle(Shelf<C> shelf) {
        for (var child = shelf.poll(); child != null; child = shelf.poll()) {
            end(child);
        }
    }

    /** Ends every process, whatever it is at. */
    void clear() {
        shelves.values().forEach(this::endIdle);
        kept.takeAll().forEach(this::end);
        for (var child : List.copyOf(busy.keySet())) {
            leave(child);
            end(child);
        }
    }

    boolean isEnding() {
        return ending > 0;
    }

    PoolFigures figures() {
        var warm =
                shelves.values().stream().mapToInt(shelf -> shelf.idle().size()).sum();
        var isHopeless =
                shelves.values().stream().anyMatch(shelf -> shelf.idle().isEmpty() && shelf.isHopeless());
        return new PoolFigures(
                warm,
                busy.size() + kept.size(),
                taken,
                settings.max(),
                waiting.size(),
                started,
                lastError,
                unready(warm),
                isHopeless);
    }

    private String unready(int warm) {
        if (warm + busy.size() + kept.size() > 0) {
            return "";
        }
        var starting = shelves.values().stream().mapToInt(Shelf::starting).sum();
        var areAllStarting = starting > 0 && starting == taken;
        return startError.isEmpty() && areAllStarting ? "%d are still being started".formatted(starting) : startError;
    }
}
