package io.mcpbridge.engine;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.pipeline.NoRetriesProvider;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.ResolveStage;
import io.mcpbridge.engine.routing.Router;
import io.mcpbridge.engine.routing.RoutingTable;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import io.mcpbridge.engine.upstream.lists.ListKind;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.BridgeLimits;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MemoryToolCatalog;
import io.mcpbridge.spi.Outgoing;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.RecordingReply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Servers behind one router, without threads and without a wire; the test says what they answer. */
final class ManyServers implements AutoCloseable {
    private static final String NOTHING = "{\"tools\":[],\"resources\":[],\"resourceTemplates\":[],\"prompts\":[]}";

    static final String EVERYTHING =
            "{\"tools\":{},\"resources\":{\"subscribe\":true},\"prompts\":{},\"completions\":{}}";
    static final Caller ALICE = OneServer.client("alice");

    final FakeTimekeeper time = new FakeTimekeeper();
    final RecordingLogger log = new RecordingLogger();
    final List<String> changes = new CopyOnWriteArrayList<>();
    final EventBus events = new EventBus(log);
    private final Environment environment;
    private final Map<String, HeldServers> held = new LinkedHashMap<>();
    private final Map<String, String> answers = new HashMap<>();
    private final Set<String> silent = new HashSet<>();
    private final Set<Outgoing> answered = new HashSet<>();
    private final List<ServerRoute> routes = new ArrayList<>();
    private final Router router;

    ManyServers(ToolNaming names, String... servers) {
        this(BridgeLimits.usual(), names, servers);
    }

    ManyServers(BridgeLimits bounds, ToolNaming names, String... servers) {
        environment = Environment.of(time, Runnable::run, Fakes.NO_LAUNCHER)
                .withLogger(log)
                .withVariables(Map.of())
                .withLimits(bounds);
        router = new Router(RoutingTable.of(List.of(), names), time, log);
        for (var server : servers) {
            add(server, EVERYTHING, Map.of("keep-alive", "0s"));
        }
    }

    /** Adds a server that declares these capabilities and has these keys in its section. */
    void add(String name, String capabilities, Map<String, Object> section) {
        var provider = new HeldServers();
        provider.declare(capabilities);
        held.put(name, provider);
        var plugins = new Plugins(
                Providers.only(TransportProvider.class, List.of(provider)),
                Providers.only(RetryPolicyProvider.class, List.of(new NoRetriesProvider())),
                Providers.only(CallStageProvider.class, List.of()));
        var servers = new RouteFactory(
                environment,
                plugins,
                events,
                new MemoryToolCatalog(),
                BridgeIdentity.OURS,
                (server, changed) -> changes.add(changed.method()));
        routes.add(servers.open(ServerSettings.of(name, "held", Settings.of(section)), Reconnecting.ON_DEMAND, "none"));
        router.replace(RoutingTable.of(routes, router.routes().names()));
    }

    /** From now on the server speaks the modern era. */
    void modern(String server) {
        Objects.requireNonNull(held.get(server), server).modern();
    }

    RecordingReply send(String method, String params) {
        return send(ALICE, method, params);
    }

    RecordingReply send(Caller caller, String method, String params) {
        var request = Request.of(MessageId.of("mine"), method, params);
        var deadline = Deadline.after(Duration.ofMinutes(1), time);
        return OneServer.through(handler(), Call.of(request, caller, "c-1", deadline));
    }

    /** Sends a request and answers every listing that it causes. */
    RecordingReply ask(String method, String params) {
        return ask(ALICE, method, params);
    }

    RecordingReply ask(Caller caller, String method, String params) {
        var reply = send(caller, method, params);
        settle();
        return reply;
    }

    /** The result of a request that causes nothing but listings. */
    String result(String method, String params) {
        return ask(method, params).awaitAnswer().raw(MessageField.RESULT).orElse("none");
    }

    /** From now on the server lists this; before it lists nothing. */
    void lists(String server, ListKind<?> kind, String... keys) {
        var member = kind == ListKind.RESOURCES ? "uri" : kind == ListKind.TEMPLATES ? "uriTemplate" : "name";
        var rest = kind == ListKind.TOOLS
                ? ",\"inputSchema\":{\"type\":\"object\"}"
                : kind == ListKind.PROMPTS ? "" : ",\"name\":\"n\"";
        var items = Stream.of(keys)
                .map("{\"%s\":\"%%s\"%s}".formatted(member, rest)::formatted)
                .collect(Collectors.joining(",", "[", "]"));
        answers.put(server + " " + kind.method(), "{\"%s\":%s}".formatted(kind.member(), items));
    }

    /** From now on the server does not answer list requests. */
    void silent(String server) {
        silent.add(server);
    }

    /** From now on the test answers the handshakes of the server. */
    void holdHandshakes(String server) {
        Objects.requireNonNull(held.get(server), server).holdHandshakes();
    }

    /** Answers the list requests of all servers, and those that follow from them. */
    void settle() {
        var isDone = false;
        while (!isDone) {
            isDone = held.keySet().stream()
                    .filter(server -> !silent.contains(server))
                    .noneMatch(this::answerOne);
        }
    }

    private boolean answerOne(String server) {
        var connection = server(server);
        for (var out : connection.requests()) {
            var method = ((Request) out.message()).method();
            if (method.endsWith("/list") && answered.add(out)) {
                connection.answer(out, answers.getOrDefault(server + " " + method, NOTHING));
                return true;
            }
        }
        return false;
    }

    /** Sends a request to where it leads at this moment; what is returned lets it go there. */
    Supplier<RecordingReply> found(String method, String params) {
        var request = Request.of(MessageId.of("mine"), method, params);
        var call = Call.of(request, ALICE, "c-1", Deadline.after(Duration.ofMinutes(1), time));
        var resolved = new ArrayList<Runnable>();
        var reply = new RecordingReply();
        new Pipeline()
                .add(Position.RESOLVE, new ResolveStage(router, ResolveStage.Unresolved.NONE))
                .add(Position.AUDIT, (passed, next) -> resolved.add(() -> next.handle(passed)))
                .handler(Pipeline.TO_DESTINATION, log)
                .handle(call, reply);
        settle();
        return () -> {
            resolved.get(0).run();
            return reply;
        };
    }

    private Handler handler() {
        return routing(router, log);
    }

    /** What sends calls to the destinations that the router finds. */
    static Handler routing(Router router, System.Logger log) {
        return new Pipeline()
                .add(Position.RESOLVE, new ResolveStage(router, ResolveStage.Unresolved.NONE))
                .handler(Pipeline.TO_DESTINATION, log);
    }

    /** Takes a server out of the table; it keeps running. */
    void remove(String name) {
        routes.remove(route(name));
        router.replace(RoutingTable.of(routes, router.routes().names()));
    }

    HeldTransport server(String name) {
        return Objects.requireNonNull(held.get(name), name).connection();
    }

    ServerRoute route(String name) {
        return router.routes().find(name).orElseThrow();
    }

    /** Answers the server's last request. */
    void answer(String server, String result) {
        server(server).answer(server(server).last(), result);
    }

    @Override
    public void close() {
        routes.forEach(route -> route.upstream().close());
    }
}
