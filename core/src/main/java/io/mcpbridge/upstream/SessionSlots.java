package io.mcpbridge.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.upstream.introduction.EraMemory;
import io.mcpbridge.upstream.seats.SeatedServer;
import io.mcpbridge.upstream.seats.Seats;
import io.mcpbridge.upstream.session.SessionKey;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

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

    /** Whose sessions are used by callers who found no room for one of their own. */
    private final Map<SessionKey, SessionKey> joined = new ConcurrentHashMap<>();

    SessionSlots(UpstreamParts parts, EraMemory eras, SessionEvents events) {
        this.parts = parts;
        this.eras = eras;
        this.queue = new CallQueue(parts.name(), parts.environment().bounds().queue());
        this.events = events;
        this.room = new Room(events);
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

    /** The place with this key, which is one of the caller's; made if it is not there, and empty if there is no room. */
    Optional<SessionSlot> of(SessionKey key, Caller caller) {
        var known = find(key);
        return known.isPresent() ? known : create(key, caller);
    }

    /** The same, or that of others of the same principal where there is no room; empty where they have none. */
    Optional<SessionSlot> orJoined(SessionKey key, Caller caller) {
        return of(key, caller).or(() -> join(key));
    }

    private Optional<SessionSlot> join(SessionKey key) {
        lock.lock();
        try {
            var host = slots.keySet().stream()
                    .filter(key::hasSamePrincipal)
                    .min(Comparator.comparing(
                                    (SessionKey each) -> !each.capabilities().equals(key.capabilities()))
                            .thenComparing(SessionKey::seat)
                            .thenComparing(SessionKey::capabilities));
            host.ifPresent(found -> joined.put(key, found));
            return host.map(this::slot);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean make(SessionKey key, Caller caller) {
        return of(key, caller).isPresent();
    }

    @Override
    public boolean isJoined(SessionKey key) {
        return !joined.isEmpty() && joined.containsValue(key);
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
        return find(key).or(() -> Optional.ofNullable(joined.get(key)).map(slots::get));
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
        return slots.containsKey(key) ? key : joined.getOrDefault(key, key);
    }

    /** Whether the session with this key, or what stands for it, is there and open. */
    boolean isConnected(SessionKey key) {
        return open(key).isPresent();
    }

    /** The session with this key, or what stands for it, if it is there and open. */
    Optional<UpstreamSession> open(SessionKey key) {
        return current(key).flatMap(SessionSlot::session).filter(session -> !session.isClosed());
    }

    private Optional<SessionSlot> create(SessionKey key, Caller caller) {
        // Whoever gives sessions to clients may be asking for one, so that is not done under the lock.
        var unused = seats.unused();
        lock.lock();
        try {
            if (!slots.containsKey(key) && !hasRoom(key, unused)) {
                return Optional.empty();
            }
            joined.remove(key);
            return Optional.of(slots.computeIfAbsent(
                    key,
                    absent -> new SessionSlot(
                            parts, eras, queue, key, caller, key.isCommon() ? events : new SideEvents(events))));
        } finally {
            lock.unlock();
        }
    }

    @Override
    public Optional<UpstreamSession> session(SessionKey key) {
        return Optional.ofNullable(slots.get(key)).flatMap(SessionSlot::session);
    }

    @Override
    public boolean drop(SessionKey key) {
        var host = joined.get(key);
        var isGone = dropOwn(key);
        if (isGone && host != null) {
            // Without them it may be a session of one kind of client again.
            session(host).ifPresent(UpstreamSession::occupied);
        }
        return isGone;
    }

    private boolean dropOwn(SessionKey key) {
        lock.lock();
        try {
            var slot = slots.get(key);
            if (slot == null) {
                joined.remove(key);
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
        joined.values().removeIf(key::equals);
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
        var ofPrincipal = slots.keySet().stream().filter(key::hasSamePrincipal).count();
        var sessions = parts.settings().sessions();
        var message = ofPrincipal >= sessions
                ? "server '%s' has %d sessions for callers like '%s', which is the limit 'sessions' of its section; %s"
                        .formatted(parts.name(), sessions, caller.principal().name(), remedy())
                : "server '%s' has %d sessions for all users together, and no server can have more; %s"
                        .formatted(parts.name(), ServerSettings.MAX_SESSIONS, remedy());
        return Failure.of(ErrorCode.OVERLOADED, message).withServer(parts.name());
    }

    private static String remedy() {
        return "one that has had no call for %d minutes makes room, so try again later"
                .formatted(Room.IDLE.toMinutes());
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
