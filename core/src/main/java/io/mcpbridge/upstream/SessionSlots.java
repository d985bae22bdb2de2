package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.upstream.admission.CallQueue;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.seats.SeatedServer;
import io.mcpbridge.upstream.seats.Seats;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The places for sessions of one server, one per kind of caller and within bounds. Any thread may use it.
 *
 * <p>Where a bound is reached, {@link Room} is made. Whoever finds none joins a session that is there.
 */
final class SessionSlots implements SeatedServer {
    private final UpstreamParts parts;
    private final EraMemory eras;
    private final CallQueue queue;
    private final SessionEvents events;
    private final Room room;
    private final Seats seats;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<SessionKey, SessionSlot> slots = new ConcurrentHashMap<>();

    private final JoinedSessions joined = new JoinedSessions();

    SessionSlots(UpstreamParts parts, EraMemory eras, SessionEvents events) {
        this.parts = parts;
        this.eras = eras;
        this.queue = new CallQueue(parts.name(), parts.environment().bounds().queue());
        this.events = events;
        this.room = new Room(parts, events);
        this.seats = new Seats(this, parts.settings(), parts.environment().timekeeper());
    }

    /** Where calls are counted that wait for the server. */
    CallQueue queue() {
        return queue;
    }

    /** Who of the clients sits where. */
    Seats seats() {
        return seats;
    }

    /** Where the requests of this caller go that are not calls of a client. */
    SessionKey key(Caller caller) {
        return seats.of(caller);
    }

    /**
     * Uses the place with this key, which is one of the caller's and is made if it is not there; where there is no room, that
     * of others of the same principal. It makes room for nobody meanwhile.
     *
     * @return whether there was one, as others may have none either
     */
    boolean use(SessionKey key, Caller caller, Consumer<SessionSlot> what) {
        var begun = find(key)
                .filter(SessionSlots::isBegun)
                .or(() -> create(key, caller, SessionSlots::isBegun))
                .or(() -> join(key));
        begun.ifPresent(slot -> {
            try {
                what.accept(slot);
            } finally {
                slot.use().end();
            }
        });
        return begun.isPresent();
    }

    /** Begins to use a place, which one in the table allows always under the lock. */
    private static boolean isBegun(SessionSlot slot) {
        return slot.use().begin();
    }

    private Optional<SessionSlot> join(SessionKey key) {
        lock.lock();
        try {
            var host = joined.join(key, slots.keySet());
            return host.map(this::slot).filter(SessionSlots::isBegun);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean make(SessionKey key, Caller caller) {
        // It is not kept for the maker, who may find another one: whoever comes for it has it made again.
        return find(key).isPresent() || create(key, caller, made -> true).isPresent();
    }

    @Override
    public boolean isJoined(SessionKey key) {
        return joined.isHost(key);
    }

    @Override
    public boolean haveOthersThan(SessionKey key) {
        return slots.size() > (slots.containsKey(key) ? 1 : 0);
    }

    @Override
    public boolean isListenedTo(SessionKey key) {
        var slot = slots.get(key);
        return slot != null && events.isListenedTo(slot);
    }

    /** Where requests with this key go as things are. */
    private Optional<SessionSlot> current(SessionKey key) {
        return find(key).or(() -> joined.host(key).map(slots::get));
    }

    /** A modern server hears with each request what its client can be asked, so one session serves all clients. */
    private Optional<SessionSlot> find(SessionKey key) {
        var own = Optional.ofNullable(slots.get(key));
        if (own.isPresent() || eras.known().filter(Era.MODERN::equals).isEmpty()) {
            return own;
        }
        return slots.entrySet().stream()
                .filter(each -> each.getKey().hasSamePrincipal(key))
                .map(Map.Entry::getValue)
                .filter(SessionSlot::isConnected)
                .findFirst();
    }

    /** Whose session requests of this caller use as things are. */
    SessionKey current(Caller caller) {
        var key = key(caller);
        return slots.containsKey(key) ? key : joined.host(key).orElse(key);
    }

    /** Whether the session with this key, or what stands for it, is there and open. */
    boolean isConnected(SessionKey key) {
        return open(key).isPresent();
    }

    /** The session with this key, or what stands for it, if it is there and open. */
    Optional<UpstreamSession> open(SessionKey key) {
        return current(key).flatMap(SessionSlot::session).filter(session -> !session.isClosed());
    }

    private Optional<SessionSlot> create(SessionKey key, Caller caller, Predicate<SessionSlot> taking) {
        // Whoever gives sessions to clients may be asking for one, so that is not done under the lock.
        var unused = seats.unused();
        lock.lock();
        try {
            if (!slots.containsKey(key) && !hasRoom(key, unused)) {
                return Optional.empty();
            }
            joined.leave(key);
            return Optional.of(slots.computeIfAbsent(key, absent -> slot(key, caller)))
                    .filter(taking);
        } finally {
            lock.unlock();
        }
    }

    private SessionSlot slot(SessionKey key, Caller caller) {
        return new SessionSlot(parts, eras, queue, key, caller, key.isCommon() ? events : new SideEvents(events));
    }

    @Override
    public Optional<UpstreamSession> session(SessionKey key) {
        return Optional.ofNullable(slots.get(key)).flatMap(SessionSlot::session);
    }

    @Override
    public boolean drop(SessionKey key) {
        var host = joined.host(key);
        var isGone = dropOwn(key);
        if (isGone) {
            // Without them it may be a session of one kind of client again.
            host.flatMap(this::session).ifPresent(UpstreamSession::occupied);
        }
        return isGone;
    }

    private boolean dropOwn(SessionKey key) {
        lock.lock();
        try {
            var slot = slots.get(key);
            if (slot == null) {
                joined.leave(key);
                return true;
            }
            var isLast = key.isCommon() && !haveOthersThan(key);
            if (isLast || !slot.dismiss(Duration.ZERO)) {
                return false;
            }
            remove(key);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void remove(SessionKey key) {
        slots.remove(key);
        joined.gone(key);
    }

    @GuardedBy("lock")
    private boolean hasRoom(SessionKey key, Set<SessionKey> unused) {
        var ofPrincipal = slots.keySet().stream().filter(key::hasSamePrincipal).toList();
        if (ofPrincipal.size() >= parts.settings().sessions()) {
            return dismissOneOf(ofPrincipal, unused);
        }
        return slots.size() < ServerSettings.MAX_SESSIONS || dismissOneOf(List.copyOf(slots.keySet()), unused);
    }

    @GuardedBy("lock")
    private boolean dismissOneOf(List<SessionKey> keys, Set<SessionKey> unused) {
        var dismissed = room.make(keys.stream().map(this::slot).toList(), unused);
        dismissed.ifPresent(this::remove);
        return dismissed.isPresent();
    }

    /** A slot leaves the table only under the lock. */
    private SessionSlot slot(SessionKey key) {
        return Objects.requireNonNull(slots.get(key));
    }

    /** What a caller is told for whom there is no room. */
    Failure overflow(Caller caller) {
        var key = key(caller);
        return room.none(
                caller, slots.keySet().stream().filter(key::hasSamePrincipal).count());
    }

    /** Every session that is connected. */
    List<SessionSlot> connected() {
        return slots.values().stream().filter(SessionSlot::isConnected).toList();
    }

    List<UpstreamSession> sessions() {
        return slots.values().stream().flatMap(slot -> slot.session().stream()).toList();
    }

    /** Ends every session and every call; waits until the transports are closed, all of which are asked to end before. */
    void close(Failure why) {
        // What is left in the table refuses every call from here on.
        var ends = slots.values().stream().map(slot -> slot.hangUp(why)).toList();
        ends.forEach(Runnable::run);
    }
}
