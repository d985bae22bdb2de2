package io.mcpbridge.upstream;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/** Ends sessions that are not there for all when nobody has come for them for a while. Any thread. */
final class SeatTidying {
    private final ReentrantLock lock;
    private final Timekeeper timekeeper;
    private final Removal removal;

    /** Takes away what nobody came for. */
    interface Removal {

        /** Nobody finds the seat any more; called under the lock. */
        void forget(Seat seat);

        /** Ends its session. */
        void drop(Seat seat);
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
            if (!seat.key().isCommon() && seat.watch()) {
                timekeeper.schedule(Seats.LINGER, () -> tidy(seat));
            }
        } finally {
            lock.unlock();
        }
    }

    private void tidy(Seat seat) {
        lock.lock();
        try {
            if (!seat.isFree()) {
                seat.unwatch();
                return;
            }
            var rest = SeatRow.rest(seat, timekeeper.nanoTime());
            if (rest.compareTo(Duration.ZERO) > 0) {
                timekeeper.schedule(rest, () -> tidy(seat));
                return;
            }
            removal.forget(seat);
        } finally {
            lock.unlock();
        }
        removal.drop(seat);
    }
}
