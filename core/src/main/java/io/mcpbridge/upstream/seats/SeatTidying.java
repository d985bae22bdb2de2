package io.mcpbridge.upstream.seats;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;

/** Ends sessions when nobody has come for them for a while, but for the last one of a server. Any thread. */
final class SeatTidying {
    private final SeatTable table;
    private final SeatedServer server;
    private final Timekeeper timekeeper;

    SeatTidying(SeatTable table, SeatedServer server, Timekeeper timekeeper) {
        this.table = table;
        this.server = server;
        this.timekeeper = timekeeper;
    }

    /** Somebody has left, or a call has ended; looks again later if the seat is free now. */
    void look(Seat seat) {
        table.change(() -> {
            if (seat.isFree()) {
                seat.free(timekeeper.nanoTime());
                watch(seat);
            }
        });
    }

    /** The server has another session now, so those that were the last of it may be needed no longer. */
    void lookAgain() {
        table.change(() -> table.rows().stream()
                .map(SeatRow::first)
                .filter(seat -> seat.isFree() && seat.sitter().isPresent())
                .forEach(this::watch));
    }

    private void watch(Seat seat) {
        if (isSpare(seat) && seat.watch()) {
            var rest = rest(seat);
            timekeeper.schedule(rest.isNegative() ? Duration.ZERO : rest, () -> tidy(seat));
        }
    }

    /** How long until a free seat has been without a client for too long. */
    private Duration rest(Seat seat) {
        return Seats.LINGER.minusNanos(timekeeper.nanoTime() - seat.freeSince());
    }

    /** Whether the server has a session without it. */
    private boolean isSpare(Seat seat) {
        return !seat.key().isCommon() || server.haveOthersThan(seat.key());
    }

    private void tidy(Seat seat) {
        if (server.isListenedTo(seat.key())) {
            timekeeper.schedule(Seats.LINGER, () -> tidy(seat));
            return;
        }
        if (table.step(() -> forget(seat)) && !server.drop(seat.key())) {
            table.change(() -> keep(seat));
        }
    }

    /** Takes the seat away if it is time for that, else looks again; whether it is gone. */
    private boolean forget(Seat seat) {
        if (!seat.isFree() || !isSpare(seat)) {
            seat.unwatch();
            return false;
        }
        var rest = rest(seat);
        if (rest.compareTo(Duration.ZERO) > 0) {
            timekeeper.schedule(rest, () -> tidy(seat));
            return false;
        }
        seat.unwatch();
        table.forget(seat);
        return true;
    }

    /** The session is needed after all, so whether it still is has to be asked again. */
    private void keep(Seat seat) {
        if (table.putBack(seat)) {
            seat.free(timekeeper.nanoTime());
            watch(seat);
        }
    }
}
