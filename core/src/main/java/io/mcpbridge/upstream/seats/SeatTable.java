package io.mcpbridge.upstream.seats;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The seats at the sessions of one server. Any thread may ask for them; what is done to a row or a seat is a
 * {@linkplain #step step}, which nobody sees half done.
 */
final class SeatTable {
    private final SeatedServer server;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private final Map<SessionKey, SeatRow> rows = new HashMap<>();

    SeatTable(SeatedServer server) {
        this.server = server;
    }

    /** Does something to seats in one step; nothing is opened or ended in it. */
    <T> T step(Supplier<T> step) {
        lock.lock();
        try {
            return step.get();
        } finally {
            lock.unlock();
        }
    }

    /** The same, which returns nothing. */
    void change(Runnable step) {
        lock.lock();
        try {
            step.run();
        } finally {
            lock.unlock();
        }
    }

    /** The seats for callers of one kind, with the session that is there for all of them. */
    SeatRow row(SessionKey common) {
        lock.lock();
        try {
            return rows.computeIfAbsent(common, first -> new SeatRow(server, first));
        } finally {
            lock.unlock();
        }
    }

    /** The seats of all kinds. */
    List<SeatRow> rows() {
        lock.lock();
        try {
            return List.copyOf(rows.values());
        } finally {
            lock.unlock();
        }
    }

    /** The seat at this session. */
    Optional<Seat> at(SessionKey key) {
        lock.lock();
        try {
            return Optional.ofNullable(rows.get(key.at(0))).flatMap(row -> row.at(key));
        } finally {
            lock.unlock();
        }
    }

    /** Where the client with this name sits among callers of its kind. */
    Optional<SessionKey> of(SessionKey common, String name) {
        lock.lock();
        try {
            return Optional.ofNullable(rows.get(common))
                    .flatMap(row -> row.of(name))
                    .map(Seat::key);
        } finally {
            lock.unlock();
        }
    }

    /** Nobody finds the seat any more. */
    void forget(Seat seat) {
        lock.lock();
        try {
            var row = row(seat.key().at(0));
            row.remove(seat);
            var first = row.first().key();
            if (row.isIdle() && (seat == row.first() || server.session(first).isEmpty())) {
                rows.remove(first);
            }
        } finally {
            lock.unlock();
        }
    }

    /** The seat is to be found again; false if another one took its place meanwhile. */
    boolean putBack(Seat seat) {
        return step(() -> row(seat.key().at(0)).putBack(seat));
    }
}
