package io.mcpbridge.engine;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.pipeline.NoRetriesProvider;
import io.mcpbridge.engine.pipeline.ObserverList;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.PipelineCall;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.Upstream;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.BridgeLimits;
import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallObserver;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Credentials;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MemoryToolCatalog;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.RecordingReply;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * One server behind the bridge, without threads and without a wire: workers run their work at once, time stands
 * still, and the test says what the server does.
 */
final class OneServer implements AutoCloseable {
    static final String NAME = "tools";
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    final FakeTimekeeper time = new FakeTimekeeper();
    final RecordingLogger log = new RecordingLogger();
    final HeldServers server = new HeldServers();
    final EventBus events = new EventBus(log);
    final MemoryToolCatalog catalog = new MemoryToolCatalog();
    final List<BridgeEvent> heard = new CopyOnWriteArrayList<>();
    final List<String> changes = new CopyOnWriteArrayList<>();
    final AtomicInteger toolChanges = new AtomicInteger();
    final Environment environment;
    final ServerRoute route;

    private OneServer(Reconnecting reconnecting, Map<String, Object> more) {
        this(reconnecting, more, BridgeLimits.usual());
    }

    private OneServer(Reconnecting reconnecting, Map<String, Object> more, BridgeLimits bounds) {
        this(reconnecting, more, bounds, Credentials.NONE);
    }

    private OneServer(
            Reconnecting reconnecting, Map<String, Object> more, BridgeLimits bounds, Credentials credentials) {
        this(reconnecting, more, bounds, credentials, 1, Runnable::run, List.of());
    }

    private OneServer(
            Reconnecting reconnecting,
            Map<String, Object> more,
            BridgeLimits bounds,
            Credentials credentials,
            long seed,
            Executor workers,
            List<CallObserver> observers) {
        this(reconnecting, more, bounds, credentials, seed, workers, observers, UnaryOperator.identity());
    }

    private OneServer(
            Reconnecting reconnecting,
            Map<String, Object> more,
            BridgeLimits bounds,
            Credentials credentials,
            long seed,
            Executor workers,
            List<CallObserver> observers,
            UnaryOperator<ToolCatalog> keeping) {
        this(reconnecting, more, bounds, credentials, seed, workers, observers, keeping, servers -> {});
    }

    private OneServer(
            Reconnecting reconnecting,
            Map<String, Object> more,
            BridgeLimits bounds,
            Credentials credentials,
            long seed,
            Executor workers,
            List<CallObserver> observers,
            UnaryOperator<ToolCatalog> keeping,
            Consumer<RouteFactory> preparing) {
        environment = Environment.of(time, workers, Fakes.NO_LAUNCHER)
                .withLogger(log)
                .withVariables(Map.of())
                .withRandom(new java.util.Random(seed))
                .withLimits(bounds)
                .withCredentials(credentials);
        var plugins = new Plugins(
                Providers.only(TransportProvider.class, List.of(server)),
                Providers.only(RetryPolicyProvider.class, List.of(new NoRetriesProvider())),
                Providers.only(CallStageProvider.class, List.of()));
        var servers = new RouteFactory(
                environment, plugins, events, keeping.apply(catalog), BridgeIdentity.OURS, this::count);
        servers.useObservers(new ObserverList(observers, log));
        preparing.accept(servers);
        var section = new HashMap<String, Object>(Map.of("url", "held:here", "keep-alive", "0s"));
        section.putAll(more);
        var settings = ServerSettings.of(NAME, "held", Settings.of(Map.copyOf(section)));
        route = servers.open(settings, reconnecting, "none");
        events.subscribe(heard::add);
    }

    private void count(String server, Notification changed) {
        changes.add(changed.method());
        toolChanges.incrementAndGet();
    }

    static OneServer reconnecting() {
        return new OneServer(Reconnecting.ON_DEMAND, Map.of());
    }

    /** With jitter, and a random source of its own. */
    static OneServer withChance(long seed) {
        return new OneServer(
                Reconnecting.ON_DEMAND,
                Map.of("reconnect-jitter", 0.5),
                BridgeLimits.usual(),
                Credentials.NONE,
                seed,
                Runnable::run,
                List.of());
    }

    /** With an observer of the requests of the bridge and of the ends of sessions. */
    static OneServer watchedBy(CallObserver observer) {
        return new OneServer(
                Reconnecting.ON_DEMAND,
                Map.of(),
                BridgeLimits.usual(),
                Credentials.NONE,
                1,
                Runnable::run,
                List.of(observer));
    }

    /** Each user has sessions of their own. */
    static OneServer unshared() {
        return new OneServer(Reconnecting.ON_DEMAND, Map.of("shared", false));
    }

    /** With more in its section. */
    static OneServer with(Map<String, Object> more) {
        return new OneServer(Reconnecting.ON_DEMAND, more, BridgeLimits.usual());
    }

    /** The same, where only tools may be called that stand in the catalog. */
    static OneServer strict(Map<String, Object> more) {
        return keeping(StrictCatalog::new, more);
    }

    /** The same, where tools are kept in another catalog, made from the usual one. */
    static OneServer keeping(UnaryOperator<ToolCatalog> catalog, Map<String, Object> more) {
        return new OneServer(
                Reconnecting.ON_DEMAND,
                more,
                BridgeLimits.usual(),
                Credentials.NONE,
                1,
                Runnable::run,
                List.of(),
                catalog);
    }

    /** The same, where the lists of the last run are in a folder. */
    static OneServer after(Path folder, UnaryOperator<ToolCatalog> catalog, Map<String, Object> more) {
        return new OneServer(
                Reconnecting.ON_DEMAND,
                more,
                BridgeLimits.usual(),
                Credentials.NONE,
                1,
                Runnable::run,
                List.of(),
                catalog,
                servers -> servers.keepLists(folder));
    }

    /** The same, with other workers. */
    static OneServer with(Map<String, Object> more, Executor workers) {
        return new OneServer(
                Reconnecting.ON_DEMAND, more, BridgeLimits.usual(), Credentials.NONE, 1, workers, List.of());
    }

    /** To which the bridge shows these credentials. */
    static OneServer showing(Credentials credentials, Map<String, Object> more) {
        return new OneServer(Reconnecting.ON_DEMAND, more, BridgeLimits.usual(), credentials);
    }

    /** For which so many calls may wait. */
    static OneServer queueing(int calls) {
        return new OneServer(
                Reconnecting.ON_DEMAND,
                Map.of(),
                new BridgeLimits(Limits.CLIENT, Limits.SERVER, calls, 64, 1_024, 1_024, ByteBudget.ofHeap()));
    }

    /** That may ask so much of one client, and of all. */
    static OneServer asking(int perClient, int all) {
        return new OneServer(
                Reconnecting.ON_DEMAND,
                Map.of(),
                new BridgeLimits(Limits.CLIENT, Limits.SERVER, 1_024, perClient, all, 1_024, ByteBudget.ofHeap()));
    }

    static OneServer once() {
        return new OneServer(Reconnecting.NEVER, Map.of());
    }

    Upstream upstream() {
        return route.upstream();
    }

    HeldTransport connection() {
        return server.connection();
    }

    /** The call as the stages pass it on; {@code reply} receives its outcome. */
    static CallContext context(Call call, Reply reply) {
        return new PipelineCall(call, reply, System.getLogger(OneServer.class.getName()));
    }

    static Caller client(String session) {
        return Caller.ANONYMOUS.withSession(session);
    }

    Call call(String method, String params, Caller caller) {
        var request = Request.of(MessageId.of("mine"), method, params);
        return Call.of(request, caller, "c-1", Deadline.after(Duration.ofMinutes(10), time));
    }

    Call toolCall() {
        return call(Methods.TOOLS_CALL, "{\"name\":\"echo\",\"arguments\":{}}", client("alice"));
    }

    /** Sends a call straight to the server, past all stages. */
    RecordingReply send(Call call) {
        return through(upstream(), call);
    }

    RecordingReply send() {
        return send(toolCall());
    }

    /** Sends a call to a server behind its stages. */
    RecordingReply through(Next next, Call call) {
        return through(new Pipeline().handler(next, log), call);
    }

    static RecordingReply through(Handler handler, Call call) {
        var reply = new RecordingReply();
        handler.handle(call, reply);
        return reply;
    }

    @Override
    public void close() {
        route.upstream().close();
    }
}
