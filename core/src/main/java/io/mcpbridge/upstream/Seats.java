package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which client has which session of a server. A server of the legacy era does not say on a shared stream whom it asks,
 * so there each client that can be asked something sits alone; all others sit together. Any thread.
 *
 * <p>The first client takes the session that is there for all, each further one has another opened. Where there is no
 * room for that it is a guest at the first, and is asked only while nobody else has calls there.
 */
final class Seats {
    /** How long a session stays without a client; the next one that comes by then takes it. */
    static final Duration LINGER = Duration.ofSeconds(60);

    private static final String NOTHING = "{}";

    /** What is known of how the server speaks. */
    private enum Speech {
        UNKNOWN,
        /** Each message says whose it is. */
        PLAIN,
        /** It is of the legacy era, and all clients of a session share one stream. */
        VAGUE
    }

    private final SessionSlots slots;
    private final UpstreamParts parts;
    private final SeatTidying tidying;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicLong lastNumber = new AtomicLong();
    private volatile Speech speech = Speech.UNKNOWN;

    @GuardedBy("lock")
    private final Map<SessionKey, SeatRow> rows = new HashMap<>();

    Seats(SessionSlots slots, UpstreamParts parts) {
        this.slots = slots;
        this.parts = parts;
        this.tidying = new SeatTidying(lock, parts.environment().timekeeper(), new Removing());
    }

    /** Whether it is known by now how the server speaks. */
    boolean knowSpeech() {
        return speech != Speech.UNKNOWN;
    }

    /** A session is ready, and shows how the server speaks. */
    void connected(UpstreamSession session) {
        speech = session.sharesStream() && !session.isModern() ? Speech.VAGUE : Speech.PLAIN;
        session.occupied();
        if (speech == Speech.VAGUE) {
            lookAgain();
        }
    }

    private void lookAgain() {
        lock.lock();
        try {
            rows.values().stream().map(SeatRow::first).forEach(tidying::lookAgain);
        } finally {
            lock.unlock();
        }
    }

    /** Sessions that no client has, which make room for others. */
    Set<SessionKey> unused() {
        if (speech != Speech.VAGUE) {
            return Set.of();
        }
        lock.lock();
        try {
            return rows.values().stream()
                    .flatMap(SeatRow::all)
                    .filter(seat -> seat.isFree() && seat.sitter().isPresent())
                    .map(Seat::key)
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    /** Where this caller's client sits, else the session that is there for all. */
    SessionKey of(Caller caller) {
        var common = common(caller);
        lock.lock();
        try {
            return Optional.ofNullable(rows.get(common))
                    .flatMap(row -> row.of(caller.home()))
                    .map(Seat::key)
                    .orElse(common);
        } finally {
            lock.unlock();
        }
    }

    /** The session that is there for all. */
    SessionKey common(Caller caller) {
        return SessionKey.of(caller, parts.settings().shared());
    }

    /** Whether it matters where this caller's client sits, as far as is known. */
    boolean matterTo(Caller caller) {
        return speech != Speech.PLAIN
                && !caller.session().isEmpty()
                && !caller.promised().equals(NOTHING);
    }

    /** Who is asked what belongs to no call in the session with this key. */
    Occupant occupant(SessionKey key) {
        if (speech != Speech.VAGUE) {
            return knowSpeech()
                    ? Occupant.none("no call is under way here that it could belong to")
                    : Occupant.awaited();
        }
        lock.lock();
        try {
            return seat(key).map(this::occupant).orElseGet(Occupant::awaited);
        } finally {
            lock.unlock();
        }
    }

    private Occupant occupant(Seat seat) {
        if (slots.isJoined(seat.key())) {
            return Occupant.none("clients of several kinds share this session, as the limit 'sessions' of the server,"
                    + " which is %d, leaves none for each"
                            .formatted(parts.settings().sessions()));
        }
        if (seat.guests() > 0) {
            return Occupant.none(
                    "%d clients share this session, as the limit 'sessions' of the server, which is %d, leaves"
                                    .formatted(
                                            seat.guests() + 1, parts.settings().sessions())
                            + " none for each");
        }
        var sitter = seat.sitter().filter(known -> !seat.isFree() || !known.isLasting());
        if (sitter.isEmpty()) {
            return Occupant.awaited();
        }
        return sitter.get().canBeAskedAnyTime()
                ? Occupant.of(sitter.get().caller())
                : Occupant.none("no call is under way here, and its client can be asked only by one");
    }

    /** The session that this caller's client has for itself. */
    Optional<SessionKey> ownOf(Caller caller) {
        var key = of(caller);
        return occupant(key)
                .client()
                .filter(owner -> owner.session().equals(caller.session()))
                .map(owner -> key);
    }

    /** Gives the session that is there for all to the client that lists what the server has, if nobody has it. */
    void claim(Caller caller) {
        var sitter = Sitter.of(caller);
        if (!matterTo(caller) || !sitter.canBeAskedAnyTime()) {
            return;
        }
        var isTaken = false;
        var common = common(caller);
        Sitter before;
        lock.lock();
        try {
            var row = row(common);
            before = row.first().sitter().orElse(null);
            var free = row.of(sitter.name()).isPresent() ? Optional.<Seat>empty() : row.free(sitter, now());
            isTaken = free.filter(seat -> seat == row.first()).isPresent();
            if (isTaken) {
                row.first().give(sitter);
            }
        } finally {
            lock.unlock();
        }
        if (isTaken) {
            greet(common, sitter, before);
        }
    }

    /** The client's seat, in which one more call begins until it has {@link #ended}; empty if there is none for it. */
    Optional<Seat> take(Caller caller) {
        var common = common(caller);
        var taken = take(common, Sitter.of(caller), this::present);
        if (taken.isEmpty() && speech == Speech.VAGUE) {
            taken = takeFurther(common, caller);
        }
        taken.ifPresent(this::greet);
        return taken.map(Taken::seat);
    }

    /** One more seat for the client, else what is left of the others. */
    private Optional<Taken> takeFurther(SessionKey common, Caller caller) {
        var key = common.at(lastNumber.incrementAndGet());
        // Makes room if need be, so it must not be done under the lock.
        var isMade = slots.of(key, caller).isPresent();
        var taken = take(
                common,
                Sitter.of(caller),
                (row, sitter) -> present(row, sitter)
                        .or(() -> isMade ? Optional.of(row.add(key)) : Optional.empty())
                        .or(() -> row.leftBehind(sitter))
                        .or(() -> beside(row, sitter)));
        if (isMade && taken.filter(seat -> seat.seat().key().equals(key)).isEmpty()) {
            // The client has found another one meanwhile.
            slots.drop(key);
        }
        return taken;
    }

    /** Finds a seat for somebody who has none; has the lock. */
    private interface Search {
        Optional<Seat> in(SeatRow row, Sitter sitter);
    }

    /**
     * A seat in which a call has begun.
     *
     * @param sitter whose it is now
     * @param before whose it was
     */
    private record Taken(Seat seat, Sitter sitter, @Nullable Sitter before, boolean isNew) {}

    private Optional<Taken> take(SessionKey common, Sitter whoever, Search search) {
        lock.lock();
        try {
            var row = row(common);
            var own = row.of(whoever.name());
            var sitter = own.isPresent() ? whoever : whoever.orMute();
            var known = own.or(() -> row.of(sitter.name()));
            return known.or(() -> search.in(row, sitter)).map(seat -> sit(seat, sitter, known.isEmpty()));
        } finally {
            lock.unlock();
        }
    }

    private static Taken sit(Seat seat, Sitter sitter, boolean isNew) {
        var before = seat.sitter().orElse(null);
        if (isNew && !seat.hasGuest(sitter.name())) {
            seat.give(sitter);
        }
        seat.begin();
        return new Taken(seat, sitter, before, isNew);
    }

    /** A seat that is there already: what the client had before, else one that nobody has. */
    private Optional<Seat> present(SeatRow row, Sitter sitter) {
        return row.formerOf(sitter).or(() -> row.free(sitter, now()));
    }

    /** Lets a client in at the first seat, where it stays as long as it is there. */
    private Optional<Seat> beside(SeatRow row, Sitter sitter) {
        if (speech != Speech.VAGUE || !sitter.isLasting()) {
            return Optional.empty();
        }
        row.first().letIn(sitter.name());
        return Optional.of(row.first());
    }

    private void greet(Taken taken) {
        if (taken.isNew()) {
            greet(taken.seat().key(), taken.sitter(), taken.before());
        }
    }

    /** Somebody has come, and will be missed; what the server asked meanwhile can be asked now. */
    private void greet(SessionKey key, Sitter sitter, @Nullable Sitter before) {
        var session = slots.session(key);
        if (before != null && before.isSameClientAs(sitter)) {
            session.ifPresent(known -> known.renamed(before.name(), sitter.name()));
        } else if (before != null && speech == Speech.VAGUE && sitter.hasRoots()) {
            // What the server knows of roots was said by somebody else.
            session.ifPresent(known -> known.sendAside(Notification.of(Methods.ROOTS_LIST_CHANGED)));
        }
        session.ifPresent(UpstreamSession::occupied);
        if (sitter.isLasting()) {
            sitter.caller().audience().onGone(() -> left(key, sitter.name()));
        }
    }

    /** A call that was begun by {@link #take} is over. */
    void ended(Seat seat) {
        lock.lock();
        try {
            seat.end();
        } finally {
            lock.unlock();
        }
        tidying.look(seat);
    }

    /** The client is gone; its calls may take a moment longer to end. */
    private void left(SessionKey key, String name) {
        Optional<Seat> seat;
        lock.lock();
        try {
            seat = seat(key);
            seat.ifPresent(known -> known.leave(name));
        } finally {
            lock.unlock();
        }
        seat.ifPresent(tidying::look);
    }

    @GuardedBy("lock")
    private Optional<Seat> seat(SessionKey key) {
        return Optional.ofNullable(rows.get(key.at(0))).flatMap(row -> row.at(key));
    }

    @GuardedBy("lock")
    private SeatRow row(SessionKey common) {
        return rows.computeIfAbsent(common, first -> new SeatRow(slots, first));
    }

    private long now() {
        return parts.environment().timekeeper().nanoTime();
    }

    /** Takes seats away that nobody came for. */
    private final class Removing implements SeatTidying.Removal {

        @Override
        public boolean isSpare(Seat seat) {
            return !seat.key().isCommon() || slots.haveOthersThan(seat.key());
        }

        @Override
        public boolean isListenedTo(Seat seat) {
            return slots.isListenedTo(seat.key());
        }

        @Override
        public void forget(Seat seat) {
            lock.lock();
            try {
                var row = row(seat.key().at(0));
                row.remove(seat);
                var first = row.first().key();
                if (row.isIdle() && (seat == row.first() || slots.session(first).isEmpty())) {
                    rows.remove(first);
                }
            } finally {
                lock.unlock();
            }
        }

        @Override
        public boolean drop(Seat seat) {
            return slots.drop(seat.key());
        }

        @Override
        public boolean putBack(Seat seat) {
            lock.lock();
            try {
                return row(seat.key().at(0)).putBack(seat);
            } finally {
                lock.unlock();
            }
        }
    }
}
