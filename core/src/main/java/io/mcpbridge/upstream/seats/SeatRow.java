package io.mcpbridge.upstream.seats;

import io.mcpbridge.upstream.session.SessionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The seats for callers of one kind; the first is at the session that is there for all. For one thread at a time:
 * {@link SeatTable} guards it.
 */
final class SeatRow {
    private final SeatedServer server;
    private final List<Seat> seats = new ArrayList<>();

    SeatRow(SeatedServer server, SessionKey common) {
        this.server = server;
        seats.add(new Seat(common));
    }

    Seat first() {
        return seats.get(0);
    }

    Optional<Seat> at(SessionKey key) {
        return seats.stream().filter(seat -> seat.key().equals(key)).findFirst();
    }

    /** Where this client sits, or was let in. */
    Optional<Seat> of(String name) {
        return name.isEmpty()
                ? Optional.empty()
                : seats.stream()
                        .filter(seat -> seat.isOf(name) || seat.hasGuest(name))
                        .findFirst();
    }

    /** What the client had before it was lost. */
    Optional<Seat> formerOf(Sitter sitter) {
        return seats.stream().filter(seat -> seat.isKeptFor(sitter)).findFirst();
    }

    /** A seat that nobody has, at a session that will not speak of anybody else, and for which nobody will come back. */
    Optional<Seat> free(Sitter sitter, long now) {
        return seats.stream()
                .filter(seat -> isFree(seat, sitter) && !isKept(seat, now))
                .findFirst();
    }

    /** The same, whoever may come back for it. */
    Optional<Seat> leftBehind(Sitter sitter) {
        return seats.stream().filter(seat -> isFree(seat, sitter)).findFirst();
    }

    private static boolean isKept(Seat seat, long now) {
        return seat.isKept() && now - seat.freeSince() < Seats.LINGER.toNanos();
    }

    private boolean isFree(Seat seat, Sitter sitter) {
        return seat.isFree()
                && server.session(seat.key())
                        .filter(session -> session.maySpeakOfOthersThan(sitter.name()))
                        .isEmpty();
    }

    /** Lets a client in at the first seat, where it stays as long as it is there; empty if nobody would see it leave. */
    Optional<Seat> letIn(Sitter sitter) {
        if (!sitter.isLasting()) {
            return Optional.empty();
        }
        first().letIn(sitter.name());
        return Optional.of(first());
    }

    /** One more seat, at the session with this key. */
    Seat add(SessionKey key) {
        var seat = new Seat(key);
        seats.add(seat);
        return seat;
    }

    /** A seat was taken away whose session goes on; false if there is another one at that session now. */
    boolean putBack(Seat seat) {
        var present = at(seat.key());
        if (present.isEmpty()) {
            seats.add(seat);
        } else if (present.get().isNew()) {
            seats.set(seats.indexOf(present.get()), seat);
        }
        return at(seat.key()).filter(seat::equals).isPresent();
    }

    /** Takes a seat away; the first one stays as long as there are others. */
    void remove(Seat seat) {
        if (seat != first()) {
            seats.remove(seat);
        }
    }

    /** Whether nothing is known here that matters. */
    boolean isIdle() {
        return seats.size() == 1 && first().isFree();
    }

    Stream<Seat> all() {
        return seats.stream();
    }
}
