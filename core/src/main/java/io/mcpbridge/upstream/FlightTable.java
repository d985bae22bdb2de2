package io.mcpbridge.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one session that have no outcome yet, by the id that we minted. Ids are never reused, so an
 * answer finds its own request or nothing.
 */
final class FlightTable {
    /** How long a server may go on with a request that was withdrawn, and speak of it. */
    static final Duration AFTERMATH = Duration.ofSeconds(60);

    private final Timekeeper timekeeper;
    private final ConcurrentHashMap<Long, Flight> flights = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<String, Deadline> aftermaths = new ConcurrentHashMap<>();
    private final AtomicLong lastId = new AtomicLong();

    FlightTable(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

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

    /**
     * Takes out the flight with this id because its call was withdrawn. The server may not have heard of that yet,
     * so for a while its messages may belong to that client still.
     */
    @Nullable
    Flight withdraw(MessageId id) {
        var flight = find(id);
        if (flight == null) {
            return null;
        }
        if (!session(flight.call()).isEmpty()) {
            aftermaths.values().removeIf(Deadline::isExpired);
            aftermaths.put(session(flight.call()), Deadline.after(AFTERMATH, timekeeper));
        }
        return take(id);
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

    /**
     * The latest call of the one client that has calls under way here; empty if there is none, or more than one
     * client, or another client has withdrawn a call lately. A message that names no request can be attributed to
     * nobody else. Requests of the bridge's own belong to no client; their callers have no session.
     */
    Optional<Flight> ofTheOnlyClient() {
        Flight found = null;
        for (var flight : flights.values()) {
            if (session(flight.call()).isEmpty()) {
                continue;
            }
            if (found != null && !sameClient(found.call(), flight.call())) {
                return Optional.empty();
            }
            found = found == null || number(flight) > number(found) ? flight : found;
        }
        return Optional.ofNullable(found).filter(flight -> !isDoubtful(session(flight.call())));
    }

    /** Whether a message may belong to another client than this one, whose call was withdrawn a moment ago. */
    private boolean isDoubtful(String client) {
        aftermaths.values().removeIf(Deadline::isExpired);
        return aftermaths.keySet().stream().anyMatch(other -> !other.equals(client));
    }

    private static long number(Flight flight) {
        return ((Request) flight.outgoing().message()).id().asLong().orElse(0);
    }

    private static boolean sameClient(Call one, Call other) {
        return session(one).equals(session(other));
    }

    private static String session(Call call) {
        Caller caller = call.caller();
        return caller.session();
    }
}
