package io.mcpbridge.upstream;

import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Outgoing;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Tells to whom something belongs that a server says and that names no request: to the call on whose stream it came,
 * else to the one client that has calls under way in this session. Any thread.
 *
 * <p>Where two clients have calls there it belongs to nobody, and so it does while a call that another client has
 * withdrawn may still be worked on. Progress tokens within a server's own request are no hint: they are its tokens,
 * counted from one like ours.
 */
final class Attribution {
    private final FlightTable flights;
    private final Aftermath aftermath;

    Attribution(FlightTable flights, Aftermath aftermath) {
        this.flights = flights;
        this.aftermath = aftermath;
    }

    /**
     * Whose something is.
     *
     * @param call the latest call of the client that it belongs to for which that can be asked something, or null
     * @param why what is said of a message that belongs to nobody
     * @param isOutside whether no call of a client is under way
     */
    record Owner(@Nullable Flight call, String why, boolean isOutside) {

        Optional<Flight> flight() {
            return Optional.ofNullable(call);
        }
    }

    Owner of(Optional<Outgoing> stream) {
        if (stream.isPresent() && stream.get().message() instanceof Request request) {
            return new Owner(flights.find(request.id()), "the call that it came for has ended", false);
        }
        var theirs = flights.ofClients();
        var clients = theirs.stream().map(Flight::client).distinct().count();
        if (clients == 0) {
            return new Owner(null, "no call is under way here that it could belong to", true);
        }
        if (clients > 1) {
            return nobody("%d clients have calls under way here, and it does not say to which of them it belongs"
                    .formatted(clients));
        }
        return aftermath.concernsOthersThan(theirs.get(0).client())
                ? nobody("it may belong to a call that another client has withdrawn lately")
                : new Owner(latest(theirs), "", false);
    }

    private static Owner nobody(String why) {
        return new Owner(null, why, false);
    }

    /** The latest of those calls that can be asked something, else of all: in some methods nobody can. */
    private static Flight latest(List<Flight> flights) {
        var byAge = Comparator.comparing(
                        (Flight flight) -> flight.call().caller().canBeAsked())
                .thenComparing(Flight::number);
        return Collections.max(flights, byAge);
    }
}
