package io.mcpbridge.upstream;

import io.mcpbridge.message.MessageId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one session that have no outcome yet, by the id that we minted. Ids are never reused, so an
 * answer finds its own request or nothing.
 */
final class FlightTable {
    private final ConcurrentHashMap<Long, Flight> flights = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();

    MessageId mint() {
        return MessageId.of(lastId.incrementAndGet());
    }

    void put(MessageId id, Flight flight) {
        flights.put(id.asLong().orElseThrow(), flight);
    }

    /** The flight with this id, which stays. */
    @Nullable
    Flight find(MessageId id) {
        var number = id.asLong();
        return number.isPresent() ? flights.get(number.getAsLong()) : null;
    }

    /** Takes out the flight with this id; only one thread gets it. */
    @Nullable
    Flight take(MessageId id) {
        var number = id.asLong();
        return number.isPresent() ? flights.remove(number.getAsLong()) : null;
    }

    /** Takes out every flight. */
    List<Flight> takeAll() {
        var taken = new ArrayList<Flight>();
        for (var id : List.copyOf(flights.keySet())) {
            var flight = flights.remove(id);
            if (flight != null) {
                taken.add(flight);
            }
        }
        return taken;
    }

    /** Whether this flight has no outcome yet. */
    boolean has(Flight flight) {
        return flights.containsValue(flight);
    }

    /** How many calls are under way; requests of our own are none. */
    int calls() {
        return (int)
                flights.values().stream().filter(flight -> !flight.isOurOwn()).count();
    }

    /** The calls of clients; the bridge's own requests belong to none. */
    List<Flight> ofClients() {
        return flights.values().stream()
                .filter(flight -> !flight.client().isEmpty())
                .toList();
    }
}
