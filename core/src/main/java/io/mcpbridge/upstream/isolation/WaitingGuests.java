package io.mcpbridge.upstream.isolation;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The calls that wait for a process, in the order in which they came. For one thread at a time: the pool guards it. */
final class WaitingGuests<C extends PooledChild> {
    private final Deque<Place<C>> places = new ArrayDeque<>();

    /** A call and where its process will come from. */
    record Place<C extends PooledChild>(Guest<C> guest, Shelf<C> shelf) {}

    Collection<Place<C>> all() {
        return places;
    }

    int size() {
        return places.size();
    }

    void add(Guest<C> guest, Shelf<C> shelf) {
        places.add(new Place<>(guest, shelf));
        shelf.waiting(1);
    }

    /** It waits no longer; it may have been given something already. */
    void remove(Guest<C> guest) {
        for (Iterator<Place<C>> each = places.iterator(); each.hasNext(); ) {
            var place = each.next();
            if (place.guest() == guest) {
                each.remove();
                place.shelf().waiting(-1);
                return;
            }
        }
    }

    /** The one that has waited the longest for a process of this shelf, and waits no longer. */
    @Nullable
    Guest<C> poll(Shelf<C> shelf) {
        for (Iterator<Place<C>> each = places.iterator(); shelf.waiting() > 0 && each.hasNext(); ) {
            var place = each.next();
            if (place.shelf() == shelf) {
                each.remove();
                shelf.waiting(-1);
                return place.guest();
            }
        }
        return null;
    }

    /** Nobody waits any longer; returns those who did. */
    List<Guest<C>> takeAll() {
        var guests = places.stream().map(Place::guest).toList();
        places.forEach(place -> place.shelf().waiting(-1));
        places.clear();
        return guests;
    }
}
