package io.mcpbridge.engine.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.LogLevel;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity;
import io.mcpbridge.engine.upstream.affinity.SessionKey;
import io.mcpbridge.engine.upstream.connection.EraMemory;
import io.mcpbridge.engine.upstream.connection.ServerConnection;
import io.mcpbridge.engine.upstream.connection.ServerProfile;
import io.mcpbridge.engine.upstream.connection.UpstreamContext;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.GaugeReading;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A bounded pool of connections to one server, one per session key. Any thread; only {@link #close} waits.
 *
 * <p>At the bound, the pool evicts another connection, or the callers share a connection of their principal.
 *
 * <p>The lock guards the set of connections and the shared keys. The pool never evicts a connection that a thread has
 * retained, so a caller that found one can use it.
 */
final class ConnectionPool implements ClientAffinity.Sessions {
    /** The time without a call after which any connection may be evicted. */
    private static final Duration IDLE = Duration.ofMinutes(10);

    private static final List<LogLevel> LEVELS = List.of(LogLevel.values());

    /** The parts that all connections of one server share. */
    record Shared(UpstreamContext context, UpstreamStateTracker health, ClientAffinity affinity, Listener listener) {}

    /** Receives the events of the connections. Any thread; never waits. */
    interface Listener {

        /** A connection is about to take calls; the listener prepares it. */
        void opening(SessionKey key, ServerConnection connection, ServerProfile profile);

        /**
         * A connection is ready.
         *
         * @param caller one of its callers
         */
        void opened(SessionKey key, Caller caller, ServerConnection connection, ServerProfile profile);

        /**
         * A common connection replaced one that was lost or failed to connect.
         *
         * @param cause the correlation id of what made the bridge connect
         * @param listed the listener runs it when the tools are listed again, or cannot be listed
         */
        void reconnected(String cause, Runnable listed);

        /** The server sent a notification that belongs to no call. */
        void notified(SessionKey key, Caller caller, ServerConnection connection, Notification notification);

        /** Whether a client subscribed in this session, which the callers of a principal share at a modern server. */
        boolean isSubscribed(SessionKey key);
    }

    private final UpstreamParts parts;
    private final UpstreamStateTracker health;
    private final EraMemory eras;
    private volatile @Nullable Shared shared;
    private final ReentrantLock lock = new ReentrantLock();

    /** Changed under the lock only. */
    private final Map<SessionKey, PooledConnection> connections = new ConcurrentHashMap<>();

    /** Keys without their own connection, each with the key whose connection it shares. Changed under the lock. */
    private final Map<SessionKey, SessionKey> hosts = new ConcurrentHashMap<>();

    @GuardedBy("lock")
    private boolean isClosed;

    ConnectionPool(UpstreamParts parts, UpstreamStateTracker health, EraMemory eras) {
        this.parts = parts;
        this.health = health;
        this.eras = eras;
    }

    /** Sets what connections need; before the first call. */
    void begin(UpstreamContext context, ClientAffinity affinity, Listener listener) {
        shared = new Shared(context, health, affinity, listener);
    }

    private Shared shared() {
        return Objects.requireNonNull(shared, "a pool begins before its first call");
    }

    @Override
    public void send(SessionKey key, Call call, Reply reply) {
        use(key, call, reply, PooledConnection::send);
    }

    @Override
    public void connect(SessionKey key, Call call, Reply reply) {
        use(key, call, reply, PooledConnection::connect);
    }

    private interface Use {
        void by(PooledConnection connection, Call call, Reply reply);
    }

    /** Uses the connection with this key or a shared one; if there is none, the call fails. */
    private void use(SessionKey key, Call call, Reply reply, Use use) {
        var closed = health.closed();
        var acquired = closed.isPresent() ? Optional.<PooledConnection>empty() : acquire(key, call.caller());
        if (acquired.isEmpty()) {
            reply.complete(Outcome.failed(closed.orElseGet(() -> noRoom(key, call.caller()))));
            return;
        }
        try {
            use.by(acquired.get(), call, reply);
        } finally {
            acquired.get().release();
        }
    }

    /** Reserves a place for the connection with this key, or shares another connection if the pool is full. */
    void prepare(SessionKey key, Caller caller) {
        acquire(key, caller).ifPresent(PooledConnection::release);
    }

    /** Returns the connection with this key, or a shared one if the pool is full; retained. */
    private Optional<PooledConnection> acquire(SessionKey key, Caller caller) {
        return acquireOwn(key, caller).or(() -> share(key));
    }

    private Optional<PooledConnection> acquireOwn(SessionKey key, Caller caller) {
        return find(key).filter(PooledConnection::retain).or(() -> create(key, caller));
    }

    @Override
    public Optional<Runnable> reserve(SessionKey key, Caller caller) {
        return acquireOwn(key, caller).map(reserved -> reserved::release);
    }

    /** Finds a connection; one serves all clients of a principal if requests identify their client. */
    private Optional<PooledConnection> find(SessionKey key) {
        var own = Optional.ofNullable(connections.get(key));
        if (own.isPresent() || eras.known().filter(Era.MODERN::equals).isEmpty()) {
            return own;
        }
        return connections.values().stream()
                .filter(each -> each.key().hasSamePrincipal(key))
                .filter(PooledConnection::isConnected)
                .findFirst();
    }

    /** Creates a connection, retained; empty if the pool is full. */
    private Optional<PooledConnection> create(SessionKey key, Caller caller) {
        // Reads the leases before, since they have their own lock.
        var common = shared();
        var unused = common.affinity().unused();
        Runnable closing = () -> {};
        lock.lock();
        try {
            if (!connections.containsKey(key)) {
                var room = isClosed ? Optional.<Runnable>empty() : makeRoom(key, unused);
                if (room.isEmpty()) {
                    return Optional.empty();
                }
                closing = room.get();
            }
            hosts.remove(key);
            return Optional.of(connections.computeIfAbsent(key, absent -> new PooledConnection(common, key, caller)))
                    .filter(PooledConnection::retain);
        } finally {
            lock.unlock();
            closing.run();
        }
    }

    /** Returns an action that closes the evicted connection, to run without the lock; empty if there is no room. */
    @GuardedBy("lock")
    private Optional<Runnable> makeRoom(SessionKey key, Set<SessionKey> unused) {
        var ofPrincipal = connections.values().stream()
                .filter(each -> each.key().hasSamePrincipal(key))
                .toList();
        if (ofPrincipal.size() >= parts.settings().sessions()) {
            return evictOneOf(ofPrincipal, unused);
        }
        return connections.size() < ServerSettings.MAX_SESSIONS
                ? Optional.of(() -> {})
                : evictOneOf(connections.values(), unused);
    }

    /** Evicts one connection: those without subscriptions first, the longest idle ones before others. */
    @GuardedBy("lock")
    private Optional<Runnable> evictOneOf(Collection<PooledConnection> candidates, Set<SessionKey> unused) {
        record Candidate(PooledConnection connection, boolean isSubscribed, Duration idle) {}
        var inOrder = candidates.stream()
                .map(each -> new Candidate(each, each.isSubscribed(), each.idle()))
                .sorted(Comparator.comparing(Candidate::isSubscribed)
                        .thenComparing(Candidate::idle, Comparator.reverseOrder()))
                .toList();
        for (var candidate : inOrder) {
            var grace = candidate.isSubscribed ? IDLE : grace(candidate.connection.key(), unused);
            var closing = evict(candidate.connection, grace);
            if (closing.isPresent()) {
                return closing;
            }
        }
        return Optional.empty();
    }

    /** Evicts a connection if it had no call within {@code grace}; returns the action that closes it. */
    @GuardedBy("lock")
    private Optional<Runnable> evict(PooledConnection connection, Duration grace) {
        var closing = connection.evict(grace);
        if (closing.isPresent()) {
            connections.remove(connection.key());
            hosts.values().removeIf(connection.key()::equals);
        }
        return closing;
    }

    /**
     * Returns the time without a call after which a connection may be evicted. A connection that is not connected or has
     * no client may be evicted at once. One whose clients cannot receive server requests, and so have no state there, may
     * be evicted after {@link ClientAffinity#GRACE_PERIOD}, any other after {@link #IDLE}.
     *
     * @param unused the keys that no client uses any longer
     */
    private static Duration grace(SessionKey key, Set<SessionKey> unused) {
        if (unused.contains(key)) {
            return Duration.ZERO;
        }
        return key.cannotBeAsked() ? ClientAffinity.GRACE_PERIOD : IDLE;
    }

    /** Returns a connection of the same principal, of the same kind of clients if possible; retained. */
    private Optional<PooledConnection> share(SessionKey key) {
        lock.lock();
        try {
            var host = connections.values().stream()
                    .filter(each -> each.key().hasSamePrincipal(key))
                    .min(Comparator.comparing((PooledConnection each) ->
                                    !each.key().capabilities().equals(key.capabilities()))
                            .thenComparing(each -> each.key().lease())
                            .thenComparing(each -> each.key().capabilities()));
            host.ifPresent(found -> hosts.put(key, found.key()));
            return host.filter(PooledConnection::retain);
        } finally {
            lock.unlock();
        }
    }

    private Failure noRoom(SessionKey key, Caller caller) {
        var ofPrincipal =
                connections.keySet().stream().filter(key::hasSamePrincipal).count();
        var limit = parts.settings().sessions();
        var remedy =
                "one that has had no call for %d minutes makes room, so try again later".formatted(IDLE.toMinutes());
        var message = ofPrincipal >= limit
                ? "server '%s' has %d sessions for callers like '%s', which is the limit 'sessions' of its section; %s"
                        .formatted(parts.name(), limit, caller.principal().name(), remedy)
                : "server '%s' has %d sessions for all users together, and no server can have more; %s"
                        .formatted(parts.name(), ServerSettings.MAX_SESSIONS, remedy);
        return Failure.of(ErrorCode.OVERLOADED, message).withServer(parts.name());
    }

    @Override
    public Optional<ClientAffinity.Session> session(SessionKey key) {
        return Optional.ofNullable(connections.get(key))
                .flatMap(PooledConnection::connection)
                .map(ServerConnection::clients);
    }

    @Override
    public boolean isShared(SessionKey key) {
        return !hosts.isEmpty() && hosts.containsValue(key);
    }

    @Override
    public boolean hasOtherThan(SessionKey key) {
        return connections.size() > (connections.containsKey(key) ? 1 : 0);
    }

    @Override
    public boolean isSubscribed(SessionKey key) {
        return Optional.ofNullable(connections.get(key))
                .filter(PooledConnection::isSubscribed)
                .isPresent();
    }

    @Override
    public boolean evict(SessionKey key) {
        var host = Optional.ofNullable(hosts.get(key));
        var isGone = evictOwn(key);
        if (isGone) {
            // Without those who shared it, it may be the connection of one kind of client again.
            host.flatMap(this::session).ifPresent(ClientAffinity.Session::ownerChanged);
        }
        return isGone;
    }

    private boolean evictOwn(SessionKey key) {
        Optional<Runnable> closing;
        lock.lock();
        try {
            var connection = connections.get(key);
            if (connection == null) {
                hosts.remove(key);
                return true;
            }
            var isLast = key.isCommon() && !hasOtherThan(key);
            closing = isLast ? Optional.empty() : evict(connection, Duration.ZERO);
        } finally {
            lock.unlock();
        }
        closing.ifPresent(Runnable::run);
        return closing.isPresent();
    }

    /** Returns the key of the connection that requests with this key currently use. */
    SessionKey current(SessionKey key) {
        return connections.containsKey(key) ? key : hosts.getOrDefault(key, key);
    }

    /** Returns the connection that requests with this key currently use, if it is open. */
    Optional<ServerConnection> open(SessionKey key) {
        return find(key)
                .or(() -> Optional.ofNullable(hosts.get(key)).map(connections::get))
                .flatMap(PooledConnection::connection)
                .filter(connection -> !connection.isClosed());
    }

    List<ServerConnection> open() {
        return connections.values().stream()
                .flatMap(each -> each.connection().stream())
                .toList();
    }

    /** Returns readings of the state that the server holds for clients, {@code subscriptions} among them. */
    List<GaugeReading> readings(int subscriptions) {
        var connected = connections.values().stream()
                .filter(PooledConnection::isConnected)
                .toList();
        var kinds = connected.stream()
                .map(each -> each.caller().promised())
                .distinct()
                .count();
        var sessions = connected.isEmpty()
                ? ""
                : "%d open, for %d kind(s) of clients by what they can be asked".formatted(connected.size(), kinds);
        var resources = subscriptions == 0 ? "" : subscriptions + " resources, once for each session";
        return List.of(
                new GaugeReading("sessions.open", connected.size(), sessions),
                new GaugeReading("sessions.kinds", kinds, ""),
                new GaugeReading("subscriptions.resources", subscriptions, resources),
                logLevel(connected));
    }

    /** Returns the lowest log level that any connection has set, counted from 0; -1 for none. */
    private static GaugeReading logLevel(List<PooledConnection> connected) {
        return connected.stream()
                .flatMap(each -> each.connection().stream())
                .flatMap(connection -> connection.logLevel().stream())
                .min(Comparator.naturalOrder())
                .map(level ->
                        new GaugeReading("log.level", LEVELS.indexOf(level), "'%s' at least".formatted(level.text())))
                .orElseGet(() -> new GaugeReading("log.level", -1, ""));
    }

    /** Ends every connection and every call. Asks all connections to end, then waits until all are closed. */
    void close(Failure why) {
        lock.lock();
        try {
            isClosed = true;
        } finally {
            lock.unlock();
        }
        // The connections that are left in the table now reject every call.
        var ends = connections.values().stream().map(each -> each.hangUp(why)).toList();
        ends.forEach(Runnable::run);
    }
}
