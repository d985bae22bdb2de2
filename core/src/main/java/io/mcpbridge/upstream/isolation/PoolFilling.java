package io.mcpbridge.upstream.isolation;

import io.mcpbridge.config.IsolationSettings;
import java.util.HashMap;
import java.util.function.Consumer;

/**
 * Starts the processes that a {@link ChildPool} wants, for calls that wait before those that may come. Within steps of the
 * pool.
 *
 * <p>For a call that finds no place a process of another kind that only stands ready is ended, else one that is kept for
 * a later round.
 *
 * @param starting begins to start one
 */
record PoolFilling<C extends PooledChild>(
        IsolationSettings settings, Places places, PoolRoom<C> room, Consumer<Shelf<C>> starting) {

    /** Starts what is missing, and makes room where that cannot be. */
    void refill() {
        var lacking = startForWaiting();
        for (int i = places.ending(); i < lacking; i++) {
            if (!room.evict()) {
                return;
            }
        }
        if (lacking == 0) {
            room.byUse().forEach(this::warm);
        }
    }

    /** Returns how many calls there is no place for. */
    private int startForWaiting() {
        var counted = new HashMap<ChildKind, Integer>();
        var lacking = 0;
        for (var place : room.waiting().all()) {
            var shelf = place.shelf();
            if (counted.merge(shelf.kind(), 1, Integer::sum) <= shelf.starting()) {
                continue;
            }
            if (places.areFull()) {
                lacking++;
            } else if (!shelf.backoff().holdsOff()) {
                start(shelf);
            }
        }
        return lacking;
    }

    private void warm(Shelf<C> shelf) {
        while (!places.areFull() && shelf.missing(settings.warm()) > 0) {
            start(shelf);
        }
    }

    private void start(Shelf<C> shelf) {
        places.begins();
        shelf.starting(1);
        starting.accept(shelf);
    }
}
