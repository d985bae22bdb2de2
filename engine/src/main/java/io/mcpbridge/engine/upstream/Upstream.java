package io.mcpbridge.engine.upstream;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.NotificationSink;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.upstream.affinity.ClientAffinity;
import io.mcpbridge.engine.upstream.affinity.SessionKey;
import io.mcpbridge.engine.upstream.connection.Authorization;
import io.mcpbridge.engine.upstream.connection.CallQueueLimit;
import io.mcpbridge.engine.upstream.connection.DropCounter;
import io.mcpbridge.engine.upstream.connection.EraMemory;
import io.mcpbridge.engine.upstream.connection.Heartbeat;
import io.mcpbridge.engine.upstream.connection.ServerConnection;
import io.mcpbridge.engine.upstream.connection.ServerProfile;
import io.mcpbridge.engine.upstream.connection.ToolCallCheck;
import io.mcpbridge.engine.upstream.connection.UpstreamContext;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.engine.upstream.isolated.ProcessPerCall;
import io.mcpbridge.engine.upstream.isolated.ProcessPoolStatus;
import io.mcpbridge.engine.upstream.lists.ListRemarks;
import io.mcpbridge.engine.upstream.lists.ListSource;
import io.mcpbridge.engine.upstream.lists.UpstreamLists;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage.Outage;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.TransportTraits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One server behind the bridge, and the last handler of each call. Any thread may use it.
 *
 * <p>Its creator closes it. It connects when a call needs a connection, once per kind of caller.
 */
public final class Upstream implements Handler, AutoCloseable {
    private final UpstreamParts parts;
    private final UpstreamStateTracker health;
    private final UpstreamContext context;
    private final ConnectionPool pool;
    private final ClientAffinity affinity;
    private final @Nullable ProcessPerCall isolated;
    private final ResourceSubscriptions subscriptions;
    private final ListRemarks remarks;
    private final UpstreamLists lists;
    private volatile @Nullable Listener listener;

    /** Receives the events that the stages in front of the server depend on. Any thread; never waits. */
    public interface Listener {

        /** The server sent a notification of this method that belongs to no call. */
        void notified(String method);

        /** A connection replaced one that was lost or failed to connect. */
        void reconnected();

        /** Whether stages compare calls with the tools of the server, which it then lists as it is connected. */
        boolean checksTools();

        /** Returns why stages reject calls before they reach the server; empty if they do not. */
        Optional<Outage> rejecting();
    }

    private Upstream(UpstreamParts parts, Consumer<Notification> onListChanged) {
        var environment = parts.environment();
        var settings = parts.settings();
        var eras = new EraMemory(environment.timekeeper());
        var dropped = new DropCounter(parts.name(), environment.timekeeper(), environment.logger());
        this.parts = parts;
        this.health = new UpstreamStateTracker(parts);
        this.pool = new ConnectionPool(parts, health, eras);
        this.affinity = new ClientAffinity(pool, settings, environment.timekeeper());
        this.subscriptions = new ResourceSubscriptions(parts, pool, affinity, dropped);
        this.remarks = new ListRemarks(parts.name(), environment, dropped);
        this.lists = new UpstreamLists(parts, new Server(parts, health, pool, affinity), remarks, onListChanged);
        var tools = lists.knownTools();
        var shared = new UpstreamContext(
                parts,
                eras,
                new CallQueueLimit(parts.name(), environment.limits().queue()),
                new ToolCallCheck(parts.name(), parts.catalog(), settings.toolFilter(), tools),
                health.latencies(),
                dropped,
                health::unanswered,
                tools,
                new Authorization(settings, environment));
        this.context = shared;
        this.isolated = settings.isolation().perCall()
                ? new ProcessPerCall(
                        shared, (kind, caller, ended) -> new SingleUseProcessConnection(shared, kind, caller, ended))
                : null;
    }

    /**
     * Creates an upstream without connecting.
     *
     * @param onListChanged receives the {@code list_changed} of a list that differs from the one before
     */
    public static Upstream create(UpstreamParts parts, Consumer<Notification> onListChanged) {
        var created = new Upstream(parts, onListChanged);
        created.pool.begin(created.context, created.affinity, created.new ConnectionEvents());
        return created;
    }

    /** Returns the handler of tool calls with a process each; empty without isolation. */
    private Optional<ProcessPerCall> isolated() {
        return Optional.ofNullable(isolated);
    }

    /** Sets the listener; before the first call. */
    public void listen(Listener newListener) {
        listener = newListener;
    }

    private Optional<Listener> listener() {
        return Optional.ofNullable(listener);
    }

    /** Returns the lists of the server. */
    public UpstreamLists lists() {
        return lists;
    }

    /** Returns why and since when it is degraded though it answers: calls are rejected, or list requests fail. */
    public Optional<Outage> degradation() {
        return listener()
                .flatMap(Listener::rejecting)
                .or(() -> isolated().flatMap(each -> each.status().rejection()))
                .or(remarks::outage);
    }

    public String name() {
        return parts.name();
    }

    /** Returns the parts that it was created from. */
    public UpstreamParts parts() {
        return parts;
    }

    /** Whether clients may call only tools that the catalog has approved. */
    public boolean isStrict() {
        return context.admission().isStrict();
    }

    /** Returns the settings that it was created from. */
    public ServerSettings settings() {
        return parts.settings();
    }

    /** Sends a request that bypasses the stages, such as one of the bridge's own; it is not retried. */
    @Override
    public void handle(Call call, Reply reply) {
        parts.recovering(this::attempt).handle(call, reply);
    }

    /** Sends one attempt of a call. */
    public void attempt(CallContext attempt) {
        if (isolated != null && attempt.request().method().equals(Methods.TOOLS_CALL)) {
            isolated.handle(attempt);
        } else {
            affinity.send(attempt);
        }
    }

    /** Connects for this caller unless connected; {@code reply} receives the result. */
    public void connect(Call call, Reply reply) {
        pool.connect(affinity.key(call.caller()), call, reply);
    }

    /**
     * Pings the server over the connection of {@code caller}, and connects if there is none. Puts no client call at
     * risk. Any answer counts as success.
     */
    public void probe(Caller caller, Completion completion) {
        var deadline = parts.deadline();
        var incident = health.newIncident();
        Function<String, Call> calls = method -> parts.call(
                        "probe", method, "{}", caller.withoutSession().withCause(incident))
                .withDeadline(deadline);
        // The era may be unknown before the first connection.
        probe(this::connect, calls.apply(Methods.INITIALIZE), completion, () -> {
            var method = era().filter(Era.MODERN::equals).isPresent() ? Methods.SERVER_DISCOVER : Methods.PING;
            probe(this, calls.apply(method), completion, completion::succeeded);
        });
    }

    private void probe(Handler handler, Call call, Completion completion, Runnable answered) {
        UpstreamParts.sendOwn(handler, call, outcome -> {
            if (!(outcome instanceof Outcome.Failed why)) {
                answered.run();
            } else if (showsAlive(why.failure())) {
                completion.succeeded();
            } else {
                completion.failed(CallException.of(why.failure()));
            }
        });
    }

    /** A server that refuses a request is alive, and may serve other callers. */
    private static boolean showsAlive(Failure failure) {
        var status = failure.status();
        return status.isPresent()
                ? status.getAsInt() < 500
                : Set.of(Delivery.ANSWERED, Delivery.REJECTED).contains(failure.delivery())
                        || failure.serverError().isPresent();
    }

    /**
     * Reserves a place in the queue of this server for a call that waits for its tools.
     *
     * @param full receives the failure if the queue is full
     * @return releases the place; a second run has no effect
     */
    public Runnable enterQueue(Consumer<Failure> full) {
        var place = context.queue().enter(full);
        return place == null ? () -> {} : place::leave;
    }

    /** The subscriptions of clients to resources of this server. */
    public ResourceSubscriptions subscriptions() {
        return subscriptions;
    }

    /** Subscribes {@code sink} to changes of a resource, in the session of the caller's client. */
    public void subscribe(CallContext call, String uri, NotificationSink sink) {
        affinity.findSession(call, call, () -> subscriptions.add(call, uri, sink));
    }

    /** Sends the server a notification of a client, if the client has its own session. */
    public void notify(Caller caller, Notification notification) {
        affinity.ownSession(caller).flatMap(pool::session).ifPresent(session -> session.sendOneWay(notification));
    }

    /** Returns the era of the server at its last connection; empty before the first. */
    public Optional<Era> era() {
        return profile().map(profile -> profile.version().era());
    }

    /** Why calls fail once this is closed; empty before. */
    public Optional<Failure> closed() {
        return health.closed();
    }

    /** Returns the profile of the server at its last connection. */
    public Optional<ServerProfile> profile() {
        return health.profile();
    }

    public UpstreamStatus status() {
        var phase = health.phase();
        var processes = isolated().map(ProcessPerCall::status);
        var current = degradation().map(phase::degradedBy).orElse(phase);
        var noted = new ArrayList<>(remarks.all());
        processes.map(ProcessPoolStatus::text).ifPresent(noted::add);
        var open = pool.open();
        var traits = open.stream().map(ServerConnection::traits).findFirst();
        return new UpstreamStatus(
                name(),
                parts.settings().type(),
                traits.map(TransportTraits::address).orElse(""),
                traits.map(TransportTraits::pid).orElse(OptionalLong.empty()),
                current.state(),
                current.since(),
                current.error(),
                Optional.ofNullable(current.errorAt()),
                Optional.ofNullable(current.profile()),
                context.eras().last(),
                open.size(),
                current.connections(),
                open.stream().mapToInt(connection -> connection.usage().calls()).sum()
                        + processes.map(ProcessPoolStatus::busy).orElse(0),
                context.dropped().total(),
                List.copyOf(noted),
                health.statistics());
    }

    /** Returns measurements of the sessions, subscriptions, log level, lists and processes of the server. */
    public List<GaugeReading> readings() {
        var readings = new ArrayList<>(pool.readings(subscriptions.count()));
        readings.add(remarks.reading());
        isolated().map(each -> each.status().readings()).ifPresent(readings::addAll);
        return readings;
    }

    /**
     * Ends every session and every call of this server, and waits until the transports are closed. Its tools stay in
     * the catalog until the owner removes them, since a successor of the same name may have listed already.
     */
    @Override
    public void close() {
        health.close();
        lists.close();
        isolated().ifPresent(calls -> calls.close(parts.closed()));
        pool.close(parts.closed());
    }

    /** The server as the source of its lists. */
    private record Server(
            UpstreamParts parts, UpstreamStateTracker health, ConnectionPool pool, ClientAffinity affinity)
            implements ListSource {

        @Override
        public void handle(Call call, Reply reply) {
            parts.recovering(affinity::send).handle(call, reply);
        }

        @Override
        public void connect(Call call, Reply reply) {
            pool.connect(affinity.key(call.caller()), call, reply);
        }

        @Override
        public Optional<ServerProfile> profile() {
            return health.profile();
        }

        @Override
        public Optional<ServerConnection> connection(Caller caller) {
            return pool.open(affinity.key(caller));
        }

        @Override
        public void claim(Caller caller) {
            affinity.claim(caller);
        }

        @Override
        public Optional<Failure> closed() {
            return health.closed();
        }
    }

    /** Handles the events of the upstream's connections. */
    private final class ConnectionEvents implements ConnectionPool.Listener {

        @Override
        public void opening(SessionKey key, ServerConnection connection, ServerProfile profile) {
            if (isStrict()) {
                lists.tools().onConnected();
            }
            if (profile.version().era() == Era.MODERN) {
                connection.subscribe(profile, subscriptions.wanted(key));
            }
        }

        @Override
        public void opened(SessionKey key, Caller caller, ServerConnection connection, ServerProfile profile) {
            affinity.connected(connection.clients());
            if (key.isCommon()) {
                isolated().ifPresent(calls -> calls.warmUp(caller));
                if (listener().filter(Listener::checksTools).isPresent()) {
                    lists.listTools(caller);
                }
            }
            if (parts.reconnects()) {
                Heartbeat.begin(connection, context, caller, key.isCommon() ? health : Heartbeat.Listener.NONE);
            }
            if (profile.version().era() != Era.MODERN) {
                subscriptions.restore(key);
            }
        }

        @Override
        public void reconnected(String cause, Runnable listed) {
            listener().ifPresent(Listener::reconnected);
            lists.reload(cause, listed);
        }

        @Override
        public void notified(SessionKey key, Caller caller, ServerConnection connection, Notification notification) {
            if (notification.method().equals(Methods.LOG_MESSAGE)) {
                subscriptions.log(key, notification);
                return;
            }
            listener().ifPresent(each -> each.notified(notification.method()));
            lists.onNotification(caller, notification);
            if (notification.method().equals(Methods.RESOURCES_UPDATED)
                    && !subscriptions.updated(key, connection.isModern(), notification)) {
                context.dropped().count("a change of a resource that no client has subscribed to");
            }
        }

        @Override
        public boolean isSubscribed(SessionKey key) {
            return subscriptions.isUsed(key, era().filter(Era.MODERN::equals).isPresent());
        }
    }
}
