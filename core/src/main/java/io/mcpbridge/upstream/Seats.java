package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Audience;
import io.mcpbridge.call.Caller;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Which client has which session of a server. A server of the legacy era does not say on a shared stream whom it asks,
 * so there each client that can be asked something sits alone; all others sit together. Any thread.
 *
 * <p>The first client takes the session that is there for all, each further one has another opened. Where there is no
 * room for that it joins the first, and is asked only while nobody else has calls there.
 */
final class Seats {
    /** How long a session stays without a client; the next one that comes by then takes it. */
    static final Duration LINGER = Duration.ofSeconds(60);

    /** All clients that cannot be asked anything. */
    private static final String MUTE = "mute";

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
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Speech speech = Speech.UNKNOWN;

    @GuardedBy("lock")
    private final Map<SessionKey, List<Seat>> rows = new HashMap<>();

    @GuardedBy("lock")
    private long lastNumber;

    Seats(SessionSlots slots, UpstreamParts parts) {
        this.slots = slots;
        this.parts = parts;
    }

    /** Whether it is known by now how the server speaks. */
    boolean knowSpeech() {
        return speech != Speech.UNKNOWN;
    }

    /** A session is ready, and shows how the server speaks. */
    void connected(UpstreamSession session) {
        speech = session.sharesStream() && !session.isModern() ? Speech.VAGUE : Speech.PLAIN;
    }

    /** Where this caller's client sits, else the session that is there for all. */
    SessionKey of(Caller caller) {
        var common = common(caller);
        lock.lock();
        try {
            return sitting(common, caller.home()).map(Seat::key).orElse(common);
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

    /** The client's seat, in which one more call begins until it has {@link #ended}; empty if there is none for it. */
    Optional<Seat> take(Caller caller) {
        var common = common(caller);
        var isNew = false;
        Seat seat;
        String name;
        lock.lock();
        try {
            seat = sitting(common, caller.session()).orElse(null);
            name = seat != null || canAnswer(caller) ? caller.session() : MUTE;
            if (seat == null) {
                seat = sitting(common, name).or(() -> free(common, name)).orElseGet(() -> further(common, caller));
                isNew = seat != null && !seat.isOf(name);
            }
            if (seat == null) {
                return Optional.empty();
            }
            if (isNew) {
                seat.give(name, isLasting(caller, name));
            }
            seat.begin();
        } finally {
            lock.unlock();
        }
        if (isNew && isLasting(caller, name)) {
            var given = seat;
            caller.audience().onGone(() -> left(given, name));
        }
        return Optional.of(seat);
    }

    private static boolean canAnswer(Caller caller) {
        return caller.canBeAsked() && !caller.capabilities().equals(NOTHING);
    }

    private static boolean isLasting(Caller caller, String name) {
        return caller.audience() != Audience.NOBODY && !name.equals(MUTE);
    }

    @GuardedBy("lock")
    private Optional<Seat> sitting(SessionKey common, String name) {
        return name.isEmpty()
                ? Optional.empty()
                : rows.getOrDefault(common, List.of()).stream()
                        .filter(seat -> seat.isOf(name))
                        .findFirst();
    }

    /** A seat that nobody has, at a session that will not speak of anybody else. */
    @GuardedBy("lock")
    private Optional<Seat> free(SessionKey common, String name) {
        return rows.computeIfAbsent(common, first -> new ArrayList<>(List.of(new Seat(first)))).stream()
                .filter(seat -> seat.isFree() && !speaksOfOthersThan(name, seat))
                .findFirst();
    }

    private boolean speaksOfOthersThan(String name, Seat seat) {
        return slots.session(seat.key())
                .filter(session -> session.maySpeakOfOthersThan(name))
                .isPresent();
    }

    /** One more seat; null while it is not known whether one is needed, and where there is no room for it. */
    @GuardedBy("lock")
    private @Nullable Seat further(SessionKey common, Caller caller) {
        if (speech != Speech.VAGUE) {
            return null;
        }
        lastNumber++;
        var key = common.at(lastNumber);
        if (slots.of(key, caller).isEmpty()) {
            return null;
        }
        var seat = new Seat(key);
        rows.getOrDefault(common, new ArrayList<>()).add(seat);
        return seat;
    }

    /** A call that was begun by {@link #take} is over. */
    void ended(Seat seat) {
        lock.lock();
        try {
            seat.end();
        } finally {
            lock.unlock();
        }
        tidyLater(seat);
    }

    /** The client is gone; its calls may take a moment longer to end. */
    private void left(Seat seat, String name) {
        lock.lock();
        try {
            if (seat.isOf(name)) {
                seat.leave();
            }
        } finally {
            lock.unlock();
        }
        tidyLater(seat);
    }

    /** A session that is not there for all ends when nobody has come for it. */
    private void tidyLater(Seat seat) {
        if (seat.key().isCommon()) {
            return;
        }
        var timekeeper = parts.environment().timekeeper();
        lock.lock();
        try {
            if (seat.isFree() && seat.watch(timekeeper.nanoTime())) {
                timekeeper.schedule(LINGER, () -> tidy(seat));
            }
        } finally {
            lock.unlock();
        }
    }

    private void tidy(Seat seat) {
        var timekeeper = parts.environment().timekeeper();
        lock.lock();
        try {
            var rest = LINGER.minusNanos(timekeeper.nanoTime() - seat.freeSince());
            if (!seat.isFree()) {
                seat.unwatch();
                return;
            }
            if (rest.compareTo(Duration.ZERO) > 0) {
                timekeeper.schedule(rest, () -> tidy(seat));
                return;
            }
            rows.values().forEach(row -> row.remove(seat));
        } finally {
            lock.unlock();
        }
        slots.drop(seat.key());
    }
}
