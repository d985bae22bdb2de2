package io.mcpbridge.upstream.seats;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Gives clients their seats when they come, and takes note when they leave. Any thread; nothing waits. */
final class Arrivals {
    private final SeatTable table;
    private final SeatedServer server;
    private final SeatTidying tidying;
    private final Timekeeper timekeeper;
    private final AtomicLong lastNumber = new AtomicLong();

    Arrivals(SeatTable table, SeatedServer server, SeatTidying tidying, Timekeeper timekeeper) {
        this.table = table;
        this.server = server;
        this.tidying = tidying;
        this.timekeeper = timekeeper;
    }

    /** Finds a seat for somebody who has none, within a step. */
    private interface Search {
        Optional<Seat> in(SeatRow row, Sitter sitter);
    }

    /**
     * A seat that somebody has.
     *
     * @param sitter whose it is now
     * @param before whose it was
     */
    private record Taken(Seat seat, Sitter sitter, @Nullable Sitter before, boolean isNew) {}

    /** Gives the first seat to a client, if nobody has it. */
    void claim(SessionKey common, Caller caller, Speech speech) {
        table.step(() -> claimed(table.row(common), Sitter.of(caller))).ifPresent(taken -> greet(taken, speech));
    }

    private Optional<Taken> claimed(SeatRow row, Sitter sitter) {
        if (row.of(sitter.name()).isPresent()) {
            return Optional.empty();
        }
        return row.free(sitter, timekeeper.nanoTime())
                .filter(row.first()::equals)
                .map(seat -> give(seat, sitter, true));
    }

    private static Taken give(Seat seat, Sitter sitter, boolean isNew) {
        var before = seat.sitter().orElse(null);
        if (isNew && !seat.hasGuest(sitter.name())) {
            seat.give(sitter);
        }
        return new Taken(seat, sitter, before, isNew);
    }

    /** The client's seat, in which one more call begins; empty if there is none for it. */
    Optional<Seat> take(SessionKey common, Caller caller, Speech speech) {
        var taken = take(common, caller, this::present);
        if (taken.isEmpty() && speech == Speech.VAGUE) {
            taken = takeFurther(common, caller);
        }
        taken.ifPresent(given -> greet(given, speech));
        return taken.map(Taken::seat);
    }

    private Optional<Taken> take(SessionKey common, Caller caller, Search search) {
        return table.step(() -> {
            var row = table.row(common);
            var whoever = Sitter.of(caller);
            var own = row.of(whoever.name());
            var sitter = own.isPresent() ? whoever : whoever.orMute();
            var known = own.or(() -> row.of(sitter.name()));
            var seat = known.or(() -> search.in(row, sitter));
            seat.ifPresent(Seat::begin);
            return seat.map(found -> give(found, sitter, known.isEmpty()));
        });
    }

    /** A seat that is there already: what the client had before, else one that nobody has. */
    private Optional<Seat> present(SeatRow row, Sitter sitter) {
        return row.formerOf(sitter).or(() -> row.free(sitter, timekeeper.nanoTime()));
    }

    /** One more seat for the client, else what is left of the others. */
    private Optional<Taken> takeFurther(SessionKey common, Caller caller) {
        var key = common.at(lastNumber.incrementAndGet());
        // Makes room if need be, so it is no part of a step.
        var isMade = server.make(key, caller);
        var taken = take(
                common,
                caller,
                (row, sitter) -> present(row, sitter)
                        .or(() -> isMade ? Optional.of(row.add(key)) : Optional.empty())
                        .or(() -> row.leftBehind(sitter))
                        .or(() -> row.letIn(sitter)));
        if (isMade && taken.filter(given -> given.seat().key().equals(key)).isEmpty()) {
            // The client has found another one meanwhile.
            server.drop(key);
        }
        return taken;
    }

    /** Somebody has come, and will be missed; what the server asked meanwhile can be asked now. */
    private void greet(Taken taken, Speech speech) {
        if (!taken.isNew()) {
            return;
        }
        var key = taken.seat().key();
        var sitter = taken.sitter();
        var before = taken.before();
        var session = server.session(key);
        if (before != null && before.isSameClientAs(sitter)) {
            session.ifPresent(known -> known.renamed(before.name(), sitter.name()));
        } else if (before != null && speech == Speech.VAGUE && sitter.hasRoots()) {
            // What the server knows of roots was said by somebody else.
            session.ifPresent(known -> known.sendAside(Notification.of(Methods.ROOTS_LIST_CHANGED)));
        }
        session.ifPresent(SeatedSession::occupied);
        if (sitter.isLasting()) {
            sitter.caller().audience().onGone(() -> left(key, sitter.name()));
        }
    }

    /** The client is gone; its calls may take a moment longer to end. */
    private void left(SessionKey key, String name) {
        var seat = table.at(key);
        seat.ifPresent(known -> table.change(() -> known.leave(name)));
        seat.ifPresent(tidying::look);
    }
}
