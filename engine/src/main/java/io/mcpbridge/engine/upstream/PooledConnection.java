package io.mcpbridge.engine.upstream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.ReconnectSettings;
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
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.Closed;
import io.mcpbridge.spi.Environment;
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
 * One entry of a {@link ConnectionPool}: connects when a call needs it, queues calls until it is ready, and connects again
 * after the connection ended. Any thread may use it; only what {@link #hangUp} returns waits.
 *
 * <p>A connection that was lost is replaced in the background. The pauses double and vary at random, so that servers that
 * were lost together do not come back at the same moment; after some tries only a call connects.
 *
 * <p>The lock guards the state, the calls that wait, the references and the tries. Each step under the lock is complete,
 * and what follows from it is done without the lock.
 */
final class PooledConnection implements Connector.Listener {

    /** How far the connection is. */
    private enum State {
        /** There is none; the next call connects. */
        IDLE,
        /** The {@link #connector} is at work. */
        CONNECTING,
        /** {@link #current} takes calls. */
        READY,
        /** It rejects every call, for the reason {@link #rejection}. */
        CLOSED,
        /** Closed, and no longer in the pool, since another connection needed its room. */
        EVICTED
    }

    private final ConnectionPool.Shared shared;
    private final UpstreamParts parts;
    private final ConnectionPool.Listener listener;
    private final SessionKey key;
    private final Caller caller;
    private final StartBackoff backoff;
    private final ReconnectSettings reconnecting;
    private final Environment environment;
    private final ReentrantLock lock = new ReentrantLock();

    /** Connections that take no new calls, until they are closed, while another one may take their place. */
    @GuardedBy("lock")
    private final Set<ServerConnection> draining = new HashSet<>();

    @GuardedBy("lock")
    private State state = State.IDLE;

    /** Threads that are about to use it and so keep it from being evicted. */
    @GuardedBy("lock")
    private int references;

    /** Calls that wait until it is ready. */
    @GuardedBy("lock")
    private final Set<WaitingCall> waiting = new LinkedHashSet<>();

    @GuardedBy("lock")
    private @Nullable Connector connector;

    @GuardedBy("lock")
    private @Nullable Failure rejection;

    @GuardedBy("lock")
    private boolean wasReady;

    @GuardedBy("lock")
    private boolean hasFailed;

    /** How often it was connected in the background since the last useful connection. */
    @GuardedBy("lock")
    private int tries;

    /** Whether only a call connects. */
    @GuardedBy("lock")
    private boolean isExhausted;

    /** When it is connected in the background, if that is due. */
    @GuardedBy("lock")
    private Timekeeper.@Nullable Alarm retry;

    /** The connection that takes calls, until its end is reported. */
    private volatile @Nullable ServerConnection current;

    /** @param caller one of the callers that it is for */
    PooledConnection(ConnectionPool.Shared shared, SessionKey key, Caller caller) {
        this.shared = shared;
        this.parts = shared.parts();
        this.listener = shared.listener();
        this.key = key;
        this.caller = caller;
        this.environment = parts.environment();
        this.backoff = new StartBackoff(environment.timekeeper(), environment.random(), parts.starts());
        this.reconnecting = parts.settings().reconnect();
    }

    SessionKey key() {
        return key;
    }

    /** One of the callers that it is for. */
    Caller caller() {
        return caller;
    }

    /** The connection that takes calls, until its end is reported. */
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

    /** Keeps it from being evicted until {@link #release}; false if it was evicted before. */
    boolean retain() {
        lock.lock();
        try {
            if (state == State.EVICTED) {
                return false;
            }
            references++;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Ends what {@link #retain} began; a call that waits here or is under way keeps it from being evicted by itself. */
    void release() {
        lock.lock();
        try {
            references--;
        } finally {
            lock.unlock();
        }
    }

    /** Sends a call, as soon as it is ready. */
    void send(Call call, Reply reply) {
        send(new Arrival(call, reply, shared.context().admission().lastChange(call)));
    }

    private void send(Arrival arrival) {
        var place = shared.context().queue().enter(why -> arrival.reply().done(Outcome.failed(why)));
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

    /** Connects without sending anything; {@code reply} receives the result. */
    void connect(Call call, Reply reply) {
        var done = Outcome.answered(Response.result(call.request().id(), "{}"));
        var queued = new QueuedCall(parts.name(), call, reply, CallQueueLimit.Place.UNCOUNTED);
        sendWhenReady(new WaitingCall(queued, ready -> reply.done(done)));
    }

    private void sendWhenReady(WaitingCall call) {
        ServerConnection open;
        Failure rejected = null;
        Optional<Connector> begun = Optional.empty();
        lock.lock();
        try {
            open = open();
            if (open == null) {
                rejected = rejectionNow();
            }
            if (open == null && rejected == null) {
                waiting.add(call);
                begun = newConnector();
            }
        } finally {
            lock.unlock();
        }
        if (open != null) {
            call.send(open);
        } else if (rejected != null) {
            call.queued().fail(rejected);
        } else {
            call.queued().watch(() -> forget(call), call::withdrawn);
            begun.ifPresent(this::begin);
        }
    }

    /** Why a call may not wait for a connection; null if it may. */
    @GuardedBy("lock")
    private @Nullable Failure rejectionNow() {
        if (rejection == null && state != State.CONNECTING && backoff.rejects()) {
            return backoff.rejection(parts.name());
        }
        return rejection;
    }

    private void forget(WaitingCall call) {
        lock.lock();
        try {
            waiting.remove(call);
        } finally {
            lock.unlock();
        }
    }

    /** An attempt that has not begun; empty if one is under way. */
    @GuardedBy("lock")
    private Optional<Connector> newConnector() {
        if (state == State.CONNECTING) {
            return Optional.empty();
        }
        backoff.begun();
        Supplier<ServerConnection> connections =
                () -> new ServerConnection(shared.context(), parts.transport(), caller, new Events());
        var made = new Connector(shared.context(), connections, caller, this);
        connector = made;
        state = State.CONNECTING;
        return Optional.of(made);
    }

    /**
     * Reports a change to the state of the upstream: the connection of one client says nothing of how the server is for all
     * others.
     */
    private void ifCommon(Consumer<UpstreamStateTracker> change) {
        if (key.isCommon()) {
            change.accept(shared.health());
        }
    }

    private void begin(Connector begun) {
        ifCommon(UpstreamStateTracker::connecting);
        begun.begin();
    }

    @Override
    public boolean startsAgain() {
        return backoff.beginsAgain();
    }

    @Override
    public void failed(Failure why) {
        var failure = why.withServer(parts.name()).withDelivery(Delivery.NOT_SENT);
        backoff.failed(failure);
        List<WaitingCall> calls;
        lock.lock();
        try {
            connector = null;
            hasFailed = true;
            idleOrClosed(failure);
            calls = takeWaiting();
        } finally {
            lock.unlock();
        }
        ifCommon(health -> health.connectingFailed(failure));
        if (isWantedWithoutCall()) {
            reconnectLater(failure, false);
        }
        fail(calls, failure);
    }

    /** There is no connection: the next call makes one, unless the first end is final. */
    @GuardedBy("lock")
    private void idleOrClosed(Failure why) {
        if (rejection != null) {
            return;
        }
        if (parts.reconnects()) {
            state = connector == null ? State.IDLE : State.CONNECTING;
        } else {
            state = State.CLOSED;
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
        calls.forEach(each -> parts.report(() -> each.queued().fail(why)));
    }

    @Override
    public void connected(ServerConnection connection, ServerProfile profile) {
        // Before it takes calls, so that a client that subscribes then finds the listen stream of a modern server.
        listener.opening(key, connection, profile);
        var ready = ready(connection);
        if (ready.isEmpty()) {
            failed(connection.closeReason().map(Closed::toFailure).orElseGet(parts::goneAtOnce));
            parts.later(connection::close);
            return;
        }
        try {
            listener.opened(key, caller, connection, profile, ready.get().tries());
            if (key.isCommon() && (ready.get().isLate() || ready.get().tries() > 0)) {
                listener.reconnected();
            }
            ready.get().calls().forEach(each -> each.send(connection));
        } finally {
            release();
        }
    }

    /**
     * The connection has become ready, and is retained until its calls were sent.
     *
     * @param calls the calls that waited for it
     * @param tries how many tries it took to replace one that was lost, the last one included; 0 for the first connection
     * @param isLate whether it is the first one, after an attempt failed
     */
    private record Readiness(List<WaitingCall> calls, int tries, boolean isLate) {}

    /** The connection is ready; empty if it is of no use any more. */
    private Optional<Readiness> ready(ServerConnection connection) {
        lock.lock();
        try {
            if (rejection != null || connection.isClosed()) {
                return Optional.empty();
            }
            var readiness = new Readiness(takeWaiting(), wasReady ? Math.max(1, tries) : 0, hasFailed && !wasReady);
            cancelRetry();
            state = State.READY;
            connector = null;
            current = connection;
            references++;
            hasFailed = false;
            wasReady = true;
            return Optional.of(readiness);
        } finally {
            lock.unlock();
        }
    }

    /** The connection ended. */
    private void ended(ServerConnection connection, Closed why) {
        if (leave(connection, why.toFailure())) {
            if (connection.usage().wasUseful()) {
                backoff.ended(why.toFailure());
            } else {
                backoff.failed(why.toFailure());
            }
            lost(connection, why, why.toFailure());
        }
    }

    /** Gives no new calls to a connection of which the bridge assumed something wrong, and has {@code end} close it. */
    private void abandon(ServerConnection connection, Failure why, Consumer<Runnable> end) {
        if (leave(connection, why)) {
            lost(connection, Closed.disconnected(why.message()), why);
            end.accept(() -> parts.later(connection::close));
        }
    }

    /** The connection takes no more calls; false if it took none already. */
    private boolean leave(ServerConnection connection, Failure why) {
        lock.lock();
        try {
            if (current != connection) {
                return false;
            }
            draining.add(connection);
            draining.removeIf(ServerConnection::isClosed);
            current = null;
            idleOrClosed(why);
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void lost(ServerConnection connection, Closed why, Failure failure) {
        ifCommon(health -> health.disconnected(why));
        if (isWantedWithoutCall()) {
            reconnectLater(failure, connection.usage().wasUseful());
        }
    }

    /** Whether it is connected without a call: one of a single user or client is only where a client has subscribed. */
    private boolean isWantedWithoutCall() {
        return parts.reconnects() && ((parts.settings().shared() && key.isCommon()) || isSubscribed());
    }

    /** Whether a client has subscribed to something here. */
    boolean isSubscribed() {
        return listener.isSubscribed(key, connection());
    }

    /**
     * Connects in the background after a pause, unless that is due already or was tried too often.
     *
     * @param isAfterUse whether a useful connection was lost, so that the tries count from zero again
     */
    private void reconnectLater(Failure why, boolean isAfterUse) {
        var max = reconnecting.maxTries();
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
                var pause = reconnecting.delay(tries, environment.random());
                retry = environment.timekeeper().schedule(pause, this::reconnect);
                return;
            }
            isExhausted = true;
        } finally {
            lock.unlock();
        }
        ifCommon(health -> health.exhausted(max, why));
    }

    private void reconnect() {
        var pause = backoff.limitPause();
        Optional<Connector> begun;
        lock.lock();
        try {
            if (retry == null) {
                return;
            }
            if (pause.isZero()) {
                retry = null;
                tries++;
                begun = open() == null ? newConnector() : Optional.empty();
            } else {
                retry = environment.timekeeper().schedule(pause, this::reconnect);
                begun = Optional.empty();
            }
        } finally {
            lock.unlock();
        }
        if (pause.isZero()) {
            begun.ifPresent(this::begin);
        } else {
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

    /** How long there was no call; longer than for any other if there is no connection. */
    Duration idle() {
        var connection = current;
        return connection == null
                ? Duration.ofSeconds(Long.MAX_VALUE)
                : connection.usage().idle();
    }

    /**
     * Takes it out of use for good, unless it is in use or had a call within {@code idle}.
     *
     * @return closes the connection, and is run without the pool's lock; empty if it stays
     */
    Optional<Runnable> evict(Duration idle) {
        lock.lock();
        try {
            var connection = current;
            if (state == State.CONNECTING
                    || references > 0
                    || !waiting.isEmpty()
                    || draining.stream().anyMatch(each -> !each.isClosed())
                    || (connection != null && connection.usage().isWithin(idle))) {
                return Optional.empty();
            }
            close(State.EVICTED, parts.evicted());
            return Optional.of(connection == null ? () -> {} : () -> parts.later(connection::close));
        } finally {
            lock.unlock();
        }
    }

    @GuardedBy("lock")
    private void close(State end, Failure why) {
        state = end;
        rejection = why;
        current = null;
        cancelRetry();
    }

    /** Asks the connection to end and fails every call that waits for it; what it returns waits until it has ended. */
    Runnable hangUp(Failure why) {
        List<WaitingCall> calls;
        Connector begun;
        List<ServerConnection> open;
        lock.lock();
        try {
            draining.removeIf(ServerConnection::isClosed);
            open = new ArrayList<>(draining);
            calls = takeWaiting();
            begun = connector;
            connection().ifPresent(open::add);
            close(state == State.EVICTED ? State.EVICTED : State.CLOSED, why);
        } finally {
            lock.unlock();
        }
        fail(calls, why);
        if (begun != null) {
            begun.hangUp();
        }
        open.forEach(ServerConnection::hangUp);
        return () -> {
            if (begun != null) {
                begun.giveUp();
            }
            open.forEach(ServerConnection::close);
        };
    }

    /** A call that waits until the connection is ready; {@code whenReady} sends it and leaves its place in the queue. */
    private record WaitingCall(QueuedCall queued, Consumer<ServerConnection> whenReady) {

        /** Sends it; an exception ends this call, and no other. */
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
            var method = queued.call().request().method();
            var message = method.equals(Methods.INITIALIZE)
                    ? "the handshake with server '%s' was given up: %s".formatted(queued.server(), reason.text())
                    : "'%s' waited for server '%s' to become ready and was withdrawn: %s"
                            .formatted(method, queued.server(), reason.text());
            return Failure.of(reason.code(), message);
        }
    }

    /** What the connections of this place report. */
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
                            abandon(connection, request.failure(), Runnable::run);
                            yield Remedy.DONE;
                        }
                        case WRONG_ERA -> {
                            shared.context().eras().doubt();
                            // The calls that are under way may still end well.
                            abandon(connection, request.failure(), connection::drain);
                            yield Remedy.DONE;
                        }
                        case WRONG_HEADERS -> shared.context().headers().renewal(request);
                        case UNAUTHORIZED -> shared.context().authorization().renewal(request, caller);
                    });
        }

        @Override
        public void notified(ServerConnection connection, Notification notification) {
            listener.notified(key, caller, connection, notification);
        }

        @Override
        public SessionOwner owner() {
            return listener.owner(key);
        }
    }
}
