package io.mcpbridge.upstream;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** Ends sessions when nobody has come for them for a while, but for the last one of a server. Any thread. */
final class SeatTidying {
    private final ReentrantLock lock;
    private final Timekeeper timekeeper;
    private final Removal removal;

    /** Takes away what nobody came for. */
    interface Removal {

        /** Whether the server has a session without it. */
        boolean isSpare(Seat seat);

        /** Whether something is wanted of its session though nobody has it; not called under the lock. */
        boolean isListenedTo(Seat seat);

        /** Nobody finds the seat any more; called under the lock. */
        void forget(Seat seat);

        /** Ends its session, unless something is under way there or it is the last one; whether it did. */
        boolean drop(Seat seat);

        /** It is to be found again; false if another one took its place meanwhile. Called under the lock. */
        boolean putBack(Seat seat);
    }

    /**
     * Tidies up nothing so far.
     *
     * @param lock guards every seat
     */
    SeatTidying(ReentrantLock lock, Timekeeper timekeeper, Removal removal) {
        this.lock = lock;
        this.timekeeper = timekeeper;
        this.removal = removal;
    }

    /** Somebody has left, or a call has ended; looks again later if the seat is free now. */
    void look(Seat seat) {
        lock.lock();
        try {
            if (!seat.isFree()) {
                return;
            }
            seat.free(timekeeper.nanoTime());
            watch(seat);
        } finally {
            lock.unlock();
        }
    }

    /** The server has another session now, so this one is needed no longer if nobody has it. The caller has the lock. */
    void lookAgain(Seat seat) {
        if (seat.isFree() && seat.sitter().isPresent()) {
            watch(seat);
        }
    }

    private void watch(Seat seat) {
        if (removal.isSpare(seat) && seat.watch()) {
            var rest = SeatRow.rest(seat, timekeeper.nanoTime());
            timekeeper.schedule(rest.isNegative() ? Duration.ZERO : rest, () -> tidy(seat));
        }
    }

    private void tidy(Seat seat) {
        if (removal.isListenedTo(seat)) {
            timekeeper.schedule(Seats.LINGER, () -> tidy(seat));
            return;
        }
        lock.lock();
        try {
            if (!seat.isFree() || !removal.isSpare(seat)) {
                seat.unwatch();
                return;
            }
            var rest = SeatRow.rest(seat, timekeeper.nanoTime());
            if (rest.compareTo(Duration.ZERO) > 0) {
                timekeeper.schedule(rest, () -> tidy(seat));
                return;
            }
            seat.unwatch();
            removal.forget(seat);
        } finally {
            lock.unlock();
        }
        if (!removal.drop(seat)) {
            keep(seat);
        }
    }

    /** The session is needed after all, so whether it still is has to be asked again. */
    private void keep(Seat seat) {
        lock.lock();
        try {
            if (removal.putBack(seat)) {
                seat.free(timekeeper.nanoTime());
                watch(seat);
            }
        } finally {
            lock.unlock();
        }
    }
}
