package io.mcpbridge.engine.upstream.affinity;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity.Attribution;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity.ClientIdentity;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity.SessionOwner;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The session leases of the clients of one server. Acquires and evicts leases, and knows the owner of each session. Any
 * thread; nothing waits.
 *
 * <p>A new lease enters the table, with its first call, before its session has a place in the pool. A second call of
 * the same client finds the lease and reserves no other place. The place is held until the first call is sent.
 *
 * <p>The lock guards all leases. Sessions are opened, ended and notified without the lock.
 */
final class LeaseTable {
    private final ClientAffinity.Sessions sessions;
    private final int maxSessions;
    private final Timekeeper timekeeper;
    private final ReentrantLock lock = new ReentrantLock();

    /** The leases of callers of one kind, by the key of their common session, whose lease is the first. */
    @GuardedBy("lock")
    private final Map<SessionKey, List<SessionLease>> groups = new HashMap<>();

    @GuardedBy("lock")
    private long lastNumber;

    LeaseTable(ClientAffinity.Sessions sessions, int maxSessions, Timekeeper timekeeper) {
        this.sessions = sessions;
        this.maxSessions = maxSessions;
        this.timekeeper = timekeeper;
    }

    /**
     * Begins a call in the lease of its client, which ends with {@link #endCall}.
     *
     * @return empty if the client has no lease and can get none
     */
    Optional<Acquired> acquire(SessionKey common, Caller caller, Attribution attribution) {
        var given = acquirePresent(common, caller, attribution);
        var placed = Optional.<Runnable>empty();
        if (given.filter(Given::isAdded).isPresent()) {
            var added = given.get().lease();
            // Reserves without the lock, since this may evict another session.
            placed = sessions.reserve(added.key(), caller);
            if (placed.isEmpty()) {
                given = acquireInstead(common, caller, added);
            }
        }
        given.ifPresent(each -> greet(each, attribution));
        var release = placed.orElse(() -> {});
        return given.map(each -> new Acquired(each.lease(), release));
    }

    /** Returns the client's present or former lease, else a free one, else a new one if each client needs its own. */
    private Optional<Given> acquirePresent(SessionKey common, Caller caller, Attribution attribution) {
        lock.lock();
        try {
            var group = group(common);
            var present = begin(
                    group,
                    caller,
                    client -> first(group, lease -> lease.isFreeFor(client)).or(() -> unreserved(group, client)));
            if (present.isPresent() || attribution != Attribution.AMBIGUOUS) {
                return present;
            }
            var added = new SessionLease(common.at(++lastNumber));
            group.add(added);
            return begin(group, caller, client -> Optional.of(added))
                    .map(each -> new Given(each.lease(), each.client(), each.before(), true, true));
        } finally {
            lock.unlock();
        }
    }

    /** Returns a lease reserved for another client, else a shared one, since no place is free for a new session. */
    private Optional<Given> acquireInstead(SessionKey common, Caller caller, SessionLease added) {
        lock.lock();
        try {
            var group = group(common);
            group.remove(added);
            return begin(
                    group,
                    caller,
                    client -> first(group, lease -> isFree(lease, client)).or(() -> share(group, client)));
        } finally {
            lock.unlock();
        }
    }

    /** @param search finds a lease for a client without one */
    @GuardedBy("lock")
    private Optional<Given> begin(
            List<SessionLease> group, Caller caller, Function<ClientIdentity, Optional<SessionLease>> search) {
        var itself = ClientIdentity.of(caller);
        var own = leaseOf(group, itself.name());
        var client = own.isPresent() ? itself : itself.orMute();
        var known = own.or(() -> leaseOf(group, client.name()));
        var lease = known.or(() -> search.apply(client));
        lease.ifPresent(found -> found.calls++);
        return lease.map(found -> give(found, client, known.isEmpty()));
    }

    private static Given give(SessionLease lease, ClientIdentity client, boolean isNew) {
        var before = lease.owner;
        if (isNew && !lease.guests.contains(client.name())) {
            lease.assignTo(client);
        }
        return new Given(lease, client, before, isNew, false);
    }

    /** Gives the common session to a client, if no other has it. */
    void claim(SessionKey common, Caller caller, Attribution attribution) {
        claim(common, ClientIdentity.of(caller)).ifPresent(given -> greet(given, attribution));
    }

    private Optional<Given> claim(SessionKey common, ClientIdentity client) {
        lock.lock();
        try {
            var group = group(common);
            if (leaseOf(group, client.name()).isPresent()) {
                return Optional.empty();
            }
            return unreserved(group, client).filter(group.get(0)::equals).map(lease -> give(lease, client, true));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Prepares the session of a new client: registers for the client's departure, and releases server requests that
     * wait for an owner.
     */
    private void greet(Given given, Attribution attribution) {
        if (!given.isNew()) {
            return;
        }
        var key = given.lease().key();
        var client = given.client();
        var before = given.before();
        var session = sessions.session(key);
        if (before != null && before.isSameClientAs(client)) {
            session.ifPresent(known -> known.renameClient(before.name(), client.name()));
        } else if (before != null && attribution == Attribution.AMBIGUOUS && client.hasRoots()) {
            // The server may have cached the roots of another client.
            session.ifPresent(known -> known.sendOneWay(Notification.of(Methods.ROOTS_LIST_CHANGED)));
        }
        session.ifPresent(ClientAffinity.Session::ownerChanged);
        if (client.announcesDeparture()) {
            client.caller().notificationSink().onClosed(() -> left(key, client.name()));
        }
    }

    /** Notes that a client has left; its calls may end a little later. */
    private void left(SessionKey key, String name) {
        lock.lock();
        try {
            var found = at(key);
            if (found.isPresent()) {
                found.get().leave(name);
                freed(found.get());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends a call that {@link #acquire} began. */
    void endCall(SessionLease lease) {
        lock.lock();
        try {
            lease.calls--;
            freed(lease);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the session of this client, if it has one. */
    Optional<SessionKey> find(SessionKey common, String name) {
        lock.lock();
        try {
            return leaseOf(groups.getOrDefault(common, List.of()), name).map(SessionLease::key);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the sessions that no client uses any longer. */
    Set<SessionKey> unused() {
        lock.lock();
        try {
            return groups.values().stream()
                    .flatMap(List::stream)
                    .filter(SessionLease::isUnused)
                    .map(SessionLease::key)
                    .collect(Collectors.toSet());
        } finally {
            lock.unlock();
        }
    }

    /** Returns the client that receives server requests outside of calls in this session. */
    SessionOwner owner(SessionKey key) {
        lock.lock();
        try {
            return at(key).map(this::owner).orElseGet(SessionOwner::awaited);
        } finally {
            lock.unlock();
        }
    }

    private SessionOwner owner(SessionLease lease) {
        if (sessions.isShared(lease.key())) {
            return SessionOwner.none("clients of several kinds share this session, as the limit 'sessions' of the"
                    + " server, which is %d, leaves none for each".formatted(maxSessions));
        }
        if (!lease.guests.isEmpty()) {
            return SessionOwner.none(
                    ("%d clients share this session, as the limit 'sessions' of the server, which is %d,"
                                    + " leaves none for each")
                            .formatted(lease.guests.size() + 1, maxSessions));
        }
        var client = lease.present();
        if (client.isEmpty()) {
            return SessionOwner.awaited();
        }
        return client.get().canBeAskedAnyTime()
                ? SessionOwner.of(client.get().caller())
                : SessionOwner.none("no call is under way here, and its client can be asked only by one");
    }

    /** Notes a further session of the server, so that unused common sessions may be evicted. */
    void sessionAdded() {
        lock.lock();
        try {
            for (var group : groups.values()) {
                if (group.get(0).isUnused()) {
                    scheduleEviction(group.get(0));
                }
            }
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void freed(SessionLease lease) {
        if (lease.isFree()) {
            lease.freeSince = timekeeper.nanoTime();
            scheduleEviction(lease);
        }
    }

    @GuardedBy("lock")
    private void scheduleEviction(SessionLease lease) {
        if (isSpare(lease) && !lease.isEvictionScheduled) {
            lease.isEvictionScheduled = true;
            var rest = rest(lease);
            timekeeper.schedule(rest.isNegative() ? Duration.ZERO : rest, () -> evict(lease));
        }
    }

    /** Returns how much longer a free lease is kept. */
    private Duration rest(SessionLease lease) {
        return ClientAffinity.GRACE_PERIOD.minusNanos(timekeeper.nanoTime() - lease.freeSince);
    }

    /** Whether the server has another session. */
    private boolean isSpare(SessionLease lease) {
        return !lease.key().isCommon() || sessions.hasOtherThan(lease.key());
    }

    /** Ends a lease and its session, if no client has taken it within the grace period. */
    private void evict(SessionLease lease) {
        if (sessions.isSubscribed(lease.key())) {
            timekeeper.schedule(ClientAffinity.GRACE_PERIOD, () -> evict(lease));
            return;
        }
        if (removeIfDue(lease) && !sessions.evict(lease.key())) {
            restore(lease);
        }
    }

    /** Removes the lease if it is due, else checks again later; returns whether it was removed. */
    private boolean removeIfDue(SessionLease lease) {
        lock.lock();
        try {
            if (!lease.isFree() || !isSpare(lease)) {
                lease.isEvictionScheduled = false;
                return false;
            }
            var rest = rest(lease);
            if (rest.compareTo(Duration.ZERO) > 0) {
                timekeeper.schedule(rest, () -> evict(lease));
                return false;
            }
            lease.isEvictionScheduled = false;
            remove(lease);
            return true;
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void remove(SessionLease lease) {
        var group = group(lease.key().at(0));
        var first = group.get(0);
        if (lease != first) {
            group.remove(lease);
        }
        if (group.size() == 1
                && first.isFree()
                && (lease == first || sessions.session(first.key()).isEmpty())) {
            groups.remove(first.key());
        }
    }

    /** Restores a lease whose session is in use for another grace period, unless a new lease replaced it. */
    private void restore(SessionLease lease) {
        lock.lock();
        try {
            var present = at(lease.key());
            if (present.isEmpty()) {
                group(lease.key().at(0)).add(lease);
            } else if (present.get().isFree() && present.get().owner == null) {
                var group = group(lease.key().at(0));
                group.set(group.indexOf(present.get()), lease);
            } else if (present.get() != lease) {
                return;
            }
            lease.freeSince = timekeeper.nanoTime();
            scheduleEviction(lease);
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private List<SessionLease> group(SessionKey common) {
        return groups.computeIfAbsent(common, key -> new ArrayList<>(List.of(new SessionLease(key))));
    }

    @GuardedBy("lock")
    private Optional<SessionLease> at(SessionKey key) {
        return first(
                groups.getOrDefault(key.at(0), List.of()), lease -> lease.key().equals(key));
    }

    private static Optional<SessionLease> first(List<SessionLease> group, Predicate<SessionLease> which) {
        return group.stream().filter(which).findFirst();
    }

    /** Returns the lease that this client has or shares. */
    private static Optional<SessionLease> leaseOf(List<SessionLease> group, String name) {
        return name.isEmpty()
                ? Optional.empty()
                : first(group, lease -> lease.isOf(name) || lease.guests.contains(name));
    }

    /** Returns a lease that no client has and that is not reserved. */
    private Optional<SessionLease> unreserved(List<SessionLease> group, ClientIdentity client) {
        var now = timekeeper.nanoTime();
        return first(group, lease -> isFree(lease, client) && !lease.isReserved(now));
    }

    /** Whether no client has the lease, and no message for another client may be in flight in its session. */
    private boolean isFree(SessionLease lease, ClientIdentity client) {
        return lease.isFree()
                && sessions.session(lease.key())
                        .filter(session -> session.mayConcernOthersThan(client.name()))
                        .isEmpty();
    }

    /** Makes the client a guest of the common session until it leaves; empty if it does not report that. */
    private static Optional<SessionLease> share(List<SessionLease> group, ClientIdentity client) {
        if (!client.announcesDeparture()) {
            return Optional.empty();
        }
        group.get(0).guests.add(client.name());
        return Optional.of(group.get(0));
    }

    /**
     * A lease in which a call has begun.
     *
     * @param placed releases the place of the session; run once the call was sent or given up
     */
    record Acquired(SessionLease lease, Runnable placed) {}

    /**
     * A lease that was given to a client.
     *
     * @param before the owner before
     * @param isNew whether the client did not have it before
     * @param isAdded whether the lease did not exist before
     */
    private record Given(
            SessionLease lease,
            ClientIdentity client,
            @Nullable ClientIdentity before,
            boolean isNew,
            boolean isAdded) {}

    /** The right of one client to a session of a server. Guarded by the lock. */
    static final class SessionLease {
        private final SessionKey key;

        /** The clients that share the session with its owner, since no place was free for their own. */
        private final Set<String> guests = new HashSet<>();

        /** The client that has the lease, or had it last. */
        private @Nullable ClientIdentity owner;

        private int calls;
        private boolean isHeld;
        private boolean isEvictionScheduled;
        private long freeSince;

        /** Creates a lease without a client. */
        SessionLease(SessionKey key) {
            this.key = key;
        }

        SessionKey key() {
            return key;
        }

        boolean isOf(String name) {
            return owner != null && owner.name().equals(name);
        }

        /** The client that has the lease now. */
        Optional<ClientIdentity> present() {
            return Optional.ofNullable(owner).filter(known -> !isFree() || !known.announcesDeparture());
        }

        /** Whether no client has it: its owner has left or, if it does not report that, has no call under way. */
        boolean isFree() {
            return calls == 0 && !isHeld && guests.isEmpty();
        }

        /** Whether it is free, and a client had it before. */
        boolean isUnused() {
            return isFree() && owner != null;
        }

        /** Whether it is free, and this is the client that had it last. */
        boolean isFreeFor(ClientIdentity other) {
            return isFree() && owner != null && owner.isSameClientAs(other);
        }

        /** Whether it is reserved for its last owner, which could still reconnect and be recognized. */
        boolean isReserved(long now) {
            return owner != null
                    && owner.announcesDeparture()
                    && owner.isRecognizable()
                    && now - freeSince < ClientAffinity.GRACE_PERIOD.toNanos();
        }

        /**
         * Gives the lease to a client; one that does not report its departure holds it while it has calls in flight.
         */
        void assignTo(ClientIdentity newOwner) {
            owner = newOwner;
            isHeld = newOwner.announcesDeparture();
        }

        /** The client with this name has left. */
        void leave(String name) {
            guests.remove(name);
            if (isOf(name)) {
                isHeld = false;
            }
        }
    }
}
