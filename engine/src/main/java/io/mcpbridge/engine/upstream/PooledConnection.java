package io.mcpbridge.engine.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.engine.pipeline.RecoveryPolicy.Remedy;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity.SessionOwner;
import io.mcpbridge.engine.upstream.affinity.SessionKey;
import io.mcpbridge.engine.upstream.connection.CallQueueLimit;
import io.mcpbridge.engine.upstream.connection.CallQueueLimit.QueuedCall;
import io.mcpbridge.engine.upstream.connection.RejectedRequest;
import io.mcpbridge.engine.upstream.connection.ServerConnection;
import io.mcpbridge.engine.upstream.connection.ServerProfile;
import io.mcpbridge.engine.upstream.connection.StartBackoff;
import io.mcpbridge.engine.upstream.connection.ToolCallCheck.Arrival;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One entry of a {@link ConnectionPool}: connects when a call needs it, queues calls until it is ready, and connects
 * again after the connection ended. Any thread may use it; only what {@link #hangUp} returns waits.
 *
 * <p>A lost connection is replaced in the background. The pauses double. After some attempts only a call connects.
 *
 * <p>The lock guards the state, the waiting calls, the references and the attempts. It is idle without an attempt and a
 * connection; a rejection is final. Each change is complete under the lock; its consequences run without the lock.
 */
final class PooledConnection implements ConnectAttempt.Listener {
    private final ConnectionPool.Shared shared;
    private final UpstreamParts parts;
    private final SessionKey key;
    private final Caller caller;
    private final StartBackoff backoff;
    private final ReentrantLock lock = new ReentrantLock();

    /** Connections that take no new calls and are not closed yet; another one may have replaced them. */
    @GuardedBy("lock")
    private final Set<ServerConnection> draining = new HashSet<>();

    /** The number of threads that retain the entry. */
    @GuardedBy("lock")
    private int references;

    /** The calls that wait until the connection is ready. */
    @GuardedBy("lock")
    private final Set<WaitingCall> waiting = new LinkedHashSet<>();

    @GuardedBy("lock")
    private @Nullable ConnectAttempt connectAttempt;

    /** Why every call is rejected from now on. */
    @GuardedBy("lock")
    private @Nullable Failure rejection;

    @GuardedBy("lock")
    private boolean isEvicted;

    /** The correlation id of the loss, or of the first failed attempt, that is not made up for yet. */
    @GuardedBy("lock")
    private String incident = "";

    @GuardedBy("lock")
    private boolean wasReady;

    @GuardedBy("lock")
    private boolean hasFailed;

    /** The background attempts since the last useful connection. */
    @GuardedBy("lock")
    private int tries;

    /** Whether only a call connects, since the background attempts have ended. */
    @GuardedBy("lock")
    private boolean isExhausted;

    /** The alarm of the next background attempt, if one is scheduled. */
    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm retry;

    /** The connection that takes calls, until its end is reported. */
    private volatile @Nullable ServerConnection current;

    /** @param caller one of its callers */
    PooledConnection(ConnectionPool.Shared shared, SessionKey key, Caller caller) {
        this.shared = shared;
        this.parts = shared.context().parts();
        this.key = key;
        this.caller = caller.withTrace(TraceParent.NONE).withCause("");
        var environment = parts.environment();
        this.backoff = new StartBackoff(environment.timekeeper(), environment.random(), parts.startInterval());
    }

    SessionKey key() {
        return key;
    }

    Caller caller() {
        return caller;
    }

    Optional<ServerConnection> connection() {
        return Optional.ofNullable(current);
    }

    boolean isConnected() {
        return open() != null;
    }

    private @Nullable ServerConnection open() {
        var connection = current;
        return connection == null || connection.isClosed() ? null : connection;
    }

    /** Protects the entry from eviction until {@link #release}; returns false if it was evicted before. */
    boolean retain() {
        lock.lock();
        try {
            if (isEvicted) {
                return false;
            }
            references++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Releases one {@link #retain}. Waiting calls and calls in flight protect the entry themselves. */
    void release() {
        lock.lock();
        try {
            references--;
        } finally {
            lock.unlock();
        }
    }

    void send(Call call, Reply reply) {
        send(new Arrival(call, reply, shared.context().admission().lastChange(call)));
    }

    private void send(Arrival arrival) {
        var place = shared.context().queue().enter(why -> arrival.reply().complete(Outcome.failed(why)));
        if (place == null) {
            return;
        }
        var open = open();
        if (open != null) {
            send(open, arrival, place);
            return;
        }
        var queued = new QueuedCall(parts.name(), arrival.call(), arrival.reply(), place);
        sendWhenReady(new WaitingCall(queued, ready -> send(ready, arrival, place)));
    }

    private void send(ServerConnection connection, Arrival arrival, CallQueueLimit.Place place) {
        if (shared.context().admission().admits(arrival.call(), arrival.change())) {
            connection.send(arrival.call(), arrival.reply(), place);
        } else {
            shared.context().admission().listOrReject(arrival, place, () -> send(arrival));
        }
    }

    /** Connects without sending a call; {@code reply} receives the result. */
    void connect(Call call, Reply reply) {
        var done = Outcome.answered(Response.result(call.request().id(), "{}"));
        var queued = new QueuedCall(parts.name(), call, reply, CallQueueLimit.Place.UNCOUNTED);
        sendWhenReady(new WaitingCall(queued, ready -> reply.complete(done)));
    }

    private void sendWhenReady(WaitingCall call) {
        Runnable next;
        lock.lock();
        try {
            next = place(call);
        } finally {
            lock.unlock();
        }
        next.run();
    }

    /** Returns what follows without the lock: the call is sent or rejected, or waits until the connection is ready. */
    @GuardedBy("lock")
    private Runnable place(WaitingCall call) {
        var open = open();
        if (open != null) {
            return () -> call.send(open);
        }
        var lost = current;
        if (lost != null) {
            // Its end is not reported yet. A call right after the loss must find it.
            return () -> {
                ended(lost, lost.closeReason().orElseThrow());
                sendWhenReady(call);
            };
        }
        var rejected = rejection;
        if (rejected == null && connectAttempt == null && backoff.rejects()) {
            rejected = backoff.rejection(parts.name());
        }
        if (rejected != null) {
            var why = rejected;
            return () -> call.queued.fail(why);
        }
        waiting.add(call);
        var begun = newConnectAttempt(call.queued.call().causer());
        return () -> {
            call.queued.watch(() -> forget(call), call::withdrawn);
            begun.run();
        };
    }

    private void forget(WaitingCall call) {
        lock.lock();
        try {
            waiting.remove(call);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Creates an attempt to connect, unless one is under way; the returned action begins it.
     *
     * @param causer has the trace and the cause of its requests
     */
    @GuardedBy("lock")
    private Runnable newConnectAttempt(Caller causer) {
        if (connectAttempt != null) {
            return () -> {};
        }
        backoff.begun();
        Supplier<ServerConnection> connections =
                () -> new ServerConnection(shared.context(), parts.transport(0), caller, new Events());
        var own = caller.withTrace(causer.trace()).withCause(causer.cause());
        var made = new ConnectAttempt(shared.context(), connections, own, this);
        connectAttempt = made;
        return () -> {
            ifCommon(UpstreamStateTracker::connecting);
            made.begin();
        };
    }

    /**
     * Reports a change to the upstream's state if the session is common. The connection of one client says nothing
     * about the server's state for others.
     */
    private void ifCommon(Consumer<UpstreamStateTracker> change) {
        if (key.isCommon()) {
            change.accept(shared.health());
        }
    }

    @Override
    public void failed(Failure why) {
        var failure = why.withServer(parts.name()).withDelivery(Delivery.NOT_SENT);
        backoff.failed(failure);
        List<WaitingCall> calls;
        boolean isLost;
        lock.lock();
        try {
            isLost = wasReady;
            incident = incident.isEmpty() ? attemptCause() : incident;
            connectAttempt = null;
            hasFailed = true;
            rejectIfFinal(failure);
            calls = takeWaiting();
        } finally {
            lock.unlock();
        }
        ifCommon(health -> health.connectingFailed(failure));
        if (isWantedWithoutCall()) {
            reconnectLater(failure, false);
        }
        fail(calls, isLost ? parts.stillLost(failure, backoff.pause()) : failure);
    }

    /** The correlation id of the attempt under way. */
    @GuardedBy("lock")
    private String attemptCause() {
        var attempt = connectAttempt;
        return attempt == null ? "" : attempt.cause();
    }

    /** Rejects further calls if the upstream never reconnects. */
    @GuardedBy("lock")
    private void rejectIfFinal(Failure why) {
        if (rejection == null && !parts.reconnects()) {
            rejection = parts.lost(why);
        }
    }

    @GuardedBy("lock")
    private List<WaitingCall> takeWaiting() {
        var all = List.copyOf(waiting);
        waiting.clear();
        return all;
    }

    private void fail(List<WaitingCall> calls, Failure why) {
        calls.forEach(each -> parts.report(() -> each.queued.fail(why)));
    }

    @Override
    public void connected(ServerConnection connection, ServerProfile profile) {
        // Runs before the connection takes calls, so that a subscribing client finds the listen stream of a modern
        // server.
        shared.listener().opening(key, connection, profile);
        var ready = ready(connection);
        if (ready.isEmpty()) {
            failed(connection.closeReason().map(Closed::toFailure).orElseGet(parts::goneAtOnce));
            parts.later(connection::close);
            return;
        }
        try {
            var isReplacement = ready.get().isReplacement();
            ifCommon(isReplacement ? health -> health.returning(profile) : health -> health.connected(profile));
            shared.listener().opened(key, caller, connection, profile);
            if (isReplacement) {
                ifCommon(health -> listAgain(connection, ready.get(), health));
            }
            ready.get().calls().forEach(each -> each.send(connection));
        } finally {
            release();
        }
    }

    /** The state is healthy, and the reconnection is reported, after the tools are listed again. */
    private void listAgain(ServerConnection connection, Readiness ready, UpstreamStateTracker health) {
        shared.listener().reconnected(ready.cause(), () -> {
            if (connection.equals(open())) {
                health.returned(ready.tries(), ready.cause());
            }
        });
    }

    /**
     * The result of a connection that became ready, which is retained until its calls are sent.
     *
     * @param calls the calls that waited for the connection
     * @param tries attempts that were needed to replace a lost connection, including the last one; 0 for the first
     *     connection
     * @param isReplacement whether an earlier connection was lost or an earlier attempt failed
     * @param cause the correlation id of what made the bridge connect
     */
    private record Readiness(List<WaitingCall> calls, int tries, boolean isReplacement, String cause) {}

    /** Makes the connection the current one; empty if it is no longer needed. */
    private Optional<Readiness> ready(ServerConnection connection) {
        lock.lock();
        try {
            if (rejection != null || connection.isClosed()) {
                return Optional.empty();
            }
            var readiness = new Readiness(
                    takeWaiting(), wasReady ? Math.max(1, tries) : 0, wasReady || hasFailed, attemptCause());
            incident = "";
            cancelRetry();
            connectAttempt = null;
            current = connection;
            references++;
            wasReady = true;
            return Optional.of(readiness);
        } finally {
            lock.unlock();
        }
    }

    private void ended(ServerConnection connection, Closed why) {
        var cause = shared.health().newIncident();
        if (leave(
                connection, why.toFailure(), cause, parts.settings().reconnect().firstDelay())) {
            lost(connection, why, why.toFailure(), cause);
        }
    }

    /** Stops using a connection that rests on a wrong assumption of the bridge, and has {@code end} close it. */
    private void abandon(ServerConnection connection, RejectedRequest request, Consumer<Runnable> end) {
        var why = request.failure();
        var cause = request.call().correlationId();
        if (leave(connection, why, cause, Duration.ZERO)) {
            lost(connection, Closed.disconnected(why.message()), why, cause);
            end.accept(() -> parts.later(connection::close));
        }
    }

    /** Stops sending calls to the connection, and connects after {@code wait}; false if it was not the current one. */
    private boolean leave(ServerConnection connection, Failure why, String cause, Duration wait) {
        lock.lock();
        try {
            if (current != connection) {
                return false;
            }
            draining.add(connection);
            draining.removeIf(ServerConnection::isClosed);
            if (connection.usage().wasUseful()) {
                backoff.ended(why, wait);
            } else if (!wait.isZero()) {
                backoff.failed(why);
            }
            current = null;
            incident = cause;
            rejectIfFinal(why);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void lost(ServerConnection connection, Closed why, Failure failure, String cause) {
        ifCommon(health -> health.disconnected(why, cause));
        if (isWantedWithoutCall()) {
            reconnectLater(failure, connection.usage().wasUseful());
        }
    }

    /**
     * Whether to connect without a call. The connection of a single user or client reconnects only if a client has
     * subscribed.
     */
    private boolean isWantedWithoutCall() {
        return parts.reconnects() && ((parts.settings().shared() && key.isCommon()) || isSubscribed());
    }

    boolean isSubscribed() {
        return shared.listener().isSubscribed(key);
    }

    /**
     * Schedules a background attempt after a pause, unless one is scheduled or the attempts are used up.
     *
     * @param isAfterUse whether a useful connection was lost, which resets the count of attempts
     */
    private void reconnectLater(Failure why, boolean isAfterUse) {
        var reconnecting = parts.settings().reconnect();
        var max = reconnecting.maxTries();
        String cause;
        lock.lock();
        try {
            if (isAfterUse) {
                tries = 0;
                isExhausted = false;
            }
            if (max == 0 || rejection != null || isExhausted || retry != null) {
                return;
            }
            if (tries < max) {
                var pause = reconnecting.delay(tries, parts.environment().random());
                retry = parts.environment().timekeeper().schedule(pause, this::reconnect);
                return;
            }
            isExhausted = true;
            cause = incident;
        } finally {
            lock.unlock();
        }
        ifCommon(health -> health.exhausted(max, why, cause));
    }

    private void reconnect() {
        var pause = backoff.intervalPause();
        Runnable begun = () -> {};
        lock.lock();
        try {
            if (retry == null) {
                return;
            }
            if (connectAttempt != null) {
                // If the attempt of a call fails, the next one is scheduled.
                retry = null;
                return;
            }
            if (!pause.isZero()) {
                retry = parts.environment().timekeeper().schedule(pause, this::reconnect);
            } else {
                retry = null;
                tries++;
                begun = open() == null ? newConnectAttempt(caller.withCause(incident)) : begun;
            }
        } finally {
            lock.unlock();
        }
        begun.run();
        if (!pause.isZero()) {
            ifCommon(health -> health.connectingFailed(backoff.rejection(parts.name())));
        }
    }

    @GuardedBy("lock")
    private void cancelRetry() {
        if (retry != null) {
            retry.cancel();
            retry = null;
        }
    }

    /** Returns the time since the last call; the longest possible time if no connection exists. */
    Duration idle() {
        return connection().map(each -> each.usage().idle()).orElse(Duration.ofSeconds(Long.MAX_VALUE));
    }

    /**
     * Evicts the entry for good, unless it is in use or had a call within {@code idle}.
     *
     * @return an action that closes the connection, to run without the pool's lock; empty if the entry stays
     */
    Optional<Runnable> evict(Duration idle) {
        lock.lock();
        try {
            var connection = current;
            if (connectAttempt != null
                    || references > 0
                    || !waiting.isEmpty()
                    || draining.stream().anyMatch(each -> !each.isClosed())
                    || (connection != null && connection.usage().isWithin(idle))) {
                return Optional.empty();
            }
            isEvicted = true;
            close(parts.evicted());
            return Optional.of(connection == null ? () -> {} : () -> parts.later(connection::close));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void close(Failure why) {
        rejection = why;
        current = null;
        cancelRetry();
    }

    /**
     * Asks the connection to end and fails every call that waits for it; the returned action waits until it has ended.
     */
    Runnable hangUp(Failure why) {
        List<WaitingCall> calls;
        Optional<ConnectAttempt> begun;
        List<ServerConnection> open;
        lock.lock();
        try {
            draining.removeIf(ServerConnection::isClosed);
            open = new ArrayList<>(draining);
            calls = takeWaiting();
            begun = Optional.ofNullable(connectAttempt);
            connection().ifPresent(open::add);
            close(why);
        } finally {
            lock.unlock();
        }
        fail(calls, why);
        begun.ifPresent(ConnectAttempt::hangUp);
        open.forEach(ServerConnection::hangUp);
        return () -> {
            begun.ifPresent(ConnectAttempt::giveUp);
            open.forEach(ServerConnection::close);
        };
    }

    /**
     * A call that waits until the connection is ready; {@code whenReady} sends it and releases its place in the queue.
     */
    private static final class WaitingCall {
        private final QueuedCall queued;
        private final Consumer<ServerConnection> whenReady;

        private WaitingCall(QueuedCall queued, Consumer<ServerConnection> whenReady) {
            this.queued = queued;
            this.whenReady = whenReady;
        }

        /** Sends the call; an exception ends only this call. */
        private void send(ServerConnection connection) {
            if (!queued.claim()) {
                return;
            }
            try {
                whenReady.accept(connection);
            } catch (RuntimeException defect) {
                queued.end(defect);
            }
        }

        private Failure withdrawn(CancelReason reason) {
            var handshake = "the handshake with server '%s'".formatted(queued.server());
            var message = reason == CancelReason.TIMED_OUT
                    ? "%s did not end within %d ms; check that it is an MCP server and answers, or raise the time-out"
                            .formatted(
                                    handshake, queued.call().deadline().span().toMillis())
                    : "%s was given up: %s".formatted(handshake, reason.text());
            return Failure.of(reason.code(), message);
        }
    }

    /** Receives the events of this entry's connections. */
    private final class Events implements ServerConnection.Listener {

        @Override
        public void closed(ServerConnection connection, Closed why) {
            ended(connection, why);
        }

        @Override
        public void rejected(ServerConnection connection, RejectedRequest request) {
            request.end(
                    switch (request.cause()) {
                        case SESSION_LOST -> {
                            abandon(connection, request, Runnable::run);
                            yield Remedy.DONE;
                        }
                        case WRONG_ERA -> {
                            shared.context().eras().doubt();
                            // The calls in flight may still succeed.
                            abandon(connection, request, connection::drain);
                            yield Remedy.DONE;
                        }
                        // The schemas of the tools say which headers go with a call.
                        case WRONG_HEADERS ->
                            (then, failed) -> shared.context()
                                    .tools()
                                    .learn(request.call().causer(), then, unlisted -> failed.accept(request.failure()));
                        case UNAUTHORIZED -> shared.context().authorization().renewal(request, caller);
                    });
        }

        @Override
        public void notified(ServerConnection connection, Notification notification) {
            shared.listener().notified(key, caller, connection, notification);
        }

        @Override
        public SessionOwner owner() {
            return shared.affinity().owner(key);
        }
    }
}
