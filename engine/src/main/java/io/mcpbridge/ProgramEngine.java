package io.mcpbridge;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.config.BridgeSettings;
import io.mcpbridge.config.RetrySettings;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolSettings;
import io.mcpbridge.engine.Fronts;
import io.mcpbridge.engine.Observers;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.engine.RouteFactory;
import io.mcpbridge.engine.ToolFindingReporter;
import io.mcpbridge.engine.pipeline.AuditStage;
import io.mcpbridge.engine.pipeline.DeadlineStage;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.ResolveStage;
import io.mcpbridge.engine.pipeline.RetryAndTimeoutPolicies;
import io.mcpbridge.engine.routing.Router;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.engine.upstream.connection.UpstreamParts;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import io.mcpbridge.engine.upstream.lists.ListsByCaller;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.JsonCodec;
import io.mcpbridge.message.JsonStrings;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.CallObserver.CallStart;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The engine behind one {@link Bridge} or {@link Connection}. Opens servers and sends the program's requests through
 * their stages. Any thread.
 */
final class ProgramEngine {
    /** The retry policy for servers that name none, rows A5 to A7 of the contract. */
    static final String DEFAULT_POLICY = "exponential";

    /** The time in the deadline of a call for the work beside its attempts and pauses. */
    private static final Duration SLACK = Duration.ofMillis(500);

    private static final String UNCHECKED =
            "[mcp-bridge] arguments and results of tools are not checked; add the artifact 'mcp-bridge-catalog', or switch"
                    + " the check off by 'withoutSchemaCheck()'";

    private final Environment environment;
    private final EventBus events;
    private final RouteFactory servers;
    private final Choices choices;
    private final Map<String, ProgramClient> clients = new ConcurrentHashMap<>();
    private volatile BiConsumer<String, Notification> listChanges = (server, changed) -> {};
    private volatile Supplier<Optional<AuditStage>> audit = Optional::empty;
    private final Map<String, UsualPipeline> usual = new ConcurrentHashMap<>();
    private volatile boolean isClosed;

    /**
     * The program's settings for all servers.
     *
     * @param handlers for requests of servers
     * @param retryPolicy the name of the policy for servers that name none
     * @param observers of calls; the engine closes them
     * @param checksSchemas whether arguments and results are checked unless a server's section says otherwise
     * @param catalog has the tools of the servers; the engine closes it
     */
    record Choices(
            ServerRequestHandlers handlers,
            String retryPolicy,
            Observers observers,
            boolean checksSchemas,
            ToolCatalog catalog) {}

    ProgramEngine(Environment environment, Plugins plugins, BridgeIdentity identity, Choices choices) {
        this.environment = environment;
        this.events = new EventBus(environment.logger());
        this.servers = new RouteFactory(
                environment,
                plugins,
                events,
                choices.catalog(),
                identity,
                (server, changed) -> listChanges.accept(server, changed));
        this.choices = choices;
        if (choices.checksSchemas()) {
            servers.useDefaults(Settings.of(Map.of(Connection.SCHEMA_CHECK, Map.of())));
            if (!plugins.stages().names().contains(Connection.SCHEMA_CHECK)) {
                environment.logger().log(System.Logger.Level.WARNING, UNCHECKED);
            }
        }
        servers.useObservers(choices.observers().list());
    }

    Environment environment() {
        return environment;
    }

    EventBus events() {
        return events;
    }

    /** Returns the client of a server, which is kept when the server is removed and added again. */
    ProgramClient client(ServerRoute route) {
        var client = clients.computeIfAbsent(
                route.upstream().name(),
                server -> new ProgramClient(
                        server, choices.handlers(), choices.observers().list()::programTrace, environment));
        if (isClosed) {
            client.close();
        }
        return client;
    }

    ServerRoute open(ServerSettings settings, Reconnecting reconnecting) {
        return servers.open(settings, reconnecting, choices.retryPolicy());
    }

    /** Lets call observers read measurements of the servers. */
    void watch(Supplier<Map<String, List<GaugeReading>>> readings) {
        choices.observers().watch(readings);
    }

    /** Creates the client sides of these routes, which learn of changed lists and quarantined tools; call it once. */
    Fronts fronts(BridgeSettings settings, Map<String, ServerRoute> routes) {
        var fronts = new Fronts(settings, environment, choices.observers(), routes);
        servers.suspendedCalls().limit(settings.suspendedCalls());
        choices.catalog().onFindings(new ToolFindingReporter(events, fronts::note, environment));
        listChanges = fronts::listChanged;
        audit = fronts::auditStage;
        return fronts;
    }

    /** Cancels the calls under way, also those between two attempts. Does not close the servers; their openers do. */
    void close() {
        isClosed = true;
        clients.values().forEach(ProgramClient::close);
        choices.observers().close();
        choices.catalog().close();
    }

    boolean isClosed() {
        return isClosed;
    }

    /** Opens the session of a server and waits for it. */
    Optional<Failure> connect(ServerRoute route) throws InterruptedException {
        return failure(direct(route, Methods.INITIALIZE), route.upstream()::connect);
    }

    /** Sends {@code ping} and waits for the response. */
    Optional<Failure> ping(ServerRoute route) throws InterruptedException {
        return failure(direct(route, Methods.PING), route.upstream());
    }

    /** Returns a call that bypasses the stages. */
    private Call direct(ServerRoute route, String method) {
        var deadline = Deadline.after(route.upstream().settings().timeout(), environment.timekeeper());
        var request = Request.of(MessageId.of(0), method, "{}");
        var program = client(route).caller();
        var caller = program.withoutSession().withTrace(program.trace());
        return Call.of(request, caller, Call.newCorrelationId(environment.random()), deadline);
    }

    /** Waits for the outcome, at most until the deadline. */
    private static Optional<Failure> failure(Call call, Handler handler) throws InterruptedException {
        var outcome = new CompletableFuture<Outcome>();
        UpstreamParts.sendOwn(handler, call, outcome::complete);
        try {
            return ProgramClient.await(outcome) instanceof Outcome.Failed failed
                    ? Optional.of(failed.failure())
                    : Optional.empty();
        } catch (InterruptedException interrupted) {
            call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
            throw interrupted;
        }
    }

    /** Returns all elements of a list; requests the list unless the cached one is fresh. */
    <T> List<T> list(ServerRoute route, ListsByCaller<T> list) throws InterruptedException {
        return ProgramClient.await(listing(route, list));
    }

    /** Returns the tools of a server with the hints that its calls have. */
    List<ToolDefinition> listTools(ServerRoute route) throws InterruptedException {
        var caller = client(route).caller();
        return list(route, route.tools()).stream()
                .map(tool -> tool.withHints(route.lists().hints(caller, tool.name())))
                .toList();
    }

    /** Like {@link #list}, without waiting; dependents of the future run on a worker. */
    <T> CompletableFuture<List<T>> listAsync(ServerRoute route, ListsByCaller<T> list) {
        return listing(route, list).thenApplyAsync(found -> found, environment.workers());
    }

    private <T> CompletableFuture<List<T>> listing(ServerRoute route, ListsByCaller<T> list) {
        var listed = new CompletableFuture<List<T>>();
        list.list(
                client(route).caller(),
                ListsByCaller.Callback.of(
                        listed::complete, why -> listed.completeExceptionally(CallException.of(why))));
        return listed;
    }

    /** Creates a tool call without starting it. */
    ProgramClient.PendingCall<ToolResult> call(
            ServerRoute route, String tool, Map<String, ?> arguments, CallOptions options) {
        requireAll(tool, arguments, options);
        var settings = route.upstream().settings().tool(tool);
        var timeout = options.timeout().orElse(settings.timeout());
        var section = options.retrySection();
        var retry = section.map(own -> overridden(own, settings.retry())).orElse(settings.retry());
        var stages = section.isEmpty() && options.timeout().isEmpty()
                ? route.handler()
                : stages(route, retry.policy(), policySection(settings, retry, section), timeout);
        var params = "{\"name\":" + JsonStrings.quote(tool) + ",\"arguments\":" + JsonCodec.write(arguments)
                + meta(options) + "}";
        return client(route)
        .new PendingCall<>(
                observed(route, stages),
                Request.of(MessageId.of(0), Methods.TOOLS_CALL, params),
                "tool '" + tool + "'",
                overall(timeout, retry),
                options,
                (json, correlationId, duration) -> ToolResult.parse(tool, json, correlationId, duration));
    }

    private static String meta(CallOptions options) {
        if (options.progress().isEmpty() && !options.trace().isPresent()) {
            return "";
        }
        var members = new StringJoiner(",", ",\"_meta\":{", "}");
        if (options.progress().isPresent()) {
            members.add("\"progressToken\":0");
        }
        if (options.trace().isPresent()) {
            members.add("\"traceparent\":" + JsonStrings.quote(options.trace().text()));
        }
        return members.toString();
    }

    /** Calls a tool without waiting. All failures are failures of the future, except a missing argument. */
    CompletableFuture<ToolResult> callAsync(
            Supplier<ServerRoute> route, String tool, Map<String, ?> arguments, CallOptions options) {
        requireAll(tool, arguments, options);
        try {
            return call(route.get(), tool, arguments, options).future();
        } catch (RuntimeException failed) {
            return CompletableFuture.failedFuture(failed);
        }
    }

    private static void requireAll(String tool, Map<String, ?> arguments, CallOptions options) {
        Objects.requireNonNull(tool, "the name of the tool must not be null");
        Objects.requireNonNull(arguments, "arguments must not be null; write Map.of() where there are none");
        Objects.requireNonNull(options, "options must not be null; write CallOptions.DEFAULTS");
    }

    /** Reads the options of a call before their keys are checked. */
    private static RetrySettings overridden(Settings options, RetrySettings usual) {
        var retry = RetrySettings.from(options, usual);
        return options.finish(() -> retry);
    }

    private static Settings policySection(ToolSettings settings, RetrySettings retry, Optional<Settings> section) {
        return section.map(own -> settings.policySection().overriddenBy(retry.policySection(own)))
                .orElse(settings.policySection());
    }

    /** Returns the stages of a server with other retry settings or another time-out than those of its section. */
    private Next stages(ServerRoute route, String policyName, Settings policySection, Duration timeout) {
        var policy = servers.policy(policyName, policySection, choices.retryPolicy());
        return route.handlers().apply(RetryAndTimeoutPolicies.of(policy, timeout));
    }

    /** Returns the pipeline of a call. The program names the server and the tool, so only the audit needs a destination. */
    private Handler observed(ServerRoute route, Next stages) {
        var closed = route.upstream().closed();
        if (closed.isPresent()) {
            return (call, reply) -> reply.complete(Outcome.failed(closed.get()));
        }
        var known = usual.get(route.upstream().name());
        if (known != null && known.stages() == stages) {
            return known.handler();
        }
        var recorder = audit.get();
        var handler = new Pipeline()
                .add(
                        Position.OBSERVERS,
                        choices.observers().list().stage(CallStart.Origin.PROGRAM, route.lists()::name))
                .add(
                        Position.RESOLVE,
                        recorder.map(needsDestination -> new ResolveStage(
                                (call, found, rejected) -> found.accept(Router.destination(route, call)),
                                ResolveStage.Unresolved.NONE)))
                .add(Position.AUDIT, recorder)
                .add(Position.OVERALL_DEADLINE, new DeadlineStage())
                .handler(stages, environment.logger());
        if (stages == route.handler()) {
            usual.put(route.upstream().name(), new UsualPipeline(stages, handler));
        }
        return handler;
    }

    /** The pipeline of calls with the settings of their server; it ends with the stages of that server. */
    private record UsualPipeline(Next stages, Handler handler) {}

    /** Returns the time for all attempts and the pauses between them. */
    private static Duration overall(Duration timeout, RetrySettings retry) {
        // Uses `long`: `Duration.multipliedBy` allocates a `BigDecimal` per call.
        var attempts = retry.maxRetries() + 1L;
        var pauses = 0.0;
        var pause = (double) retry.delay().toMillis();
        for (int i = 0; i < retry.maxRetries(); i++) {
            pauses += pause;
            pause *= retry.multiplier();
        }
        var longest = (double) TimeUnit.HOURS.toMillis(24);
        return Duration.ofMillis(attempts * timeout.toMillis() + (long) Math.min(pauses, longest) + SLACK.toMillis());
    }

    /** Creates a request through the stages of a server without starting it; {@code reader} reads the raw result. */
    <T> ProgramClient.PendingCall<T> request(
            ServerRoute route, String method, Map<String, ?> params, Function<String, T> reader) {
        return request(route, route.handler(), method, params, reader);
    }

    private <T> ProgramClient.PendingCall<T> request(
            ServerRoute route, Next stages, String method, Map<String, ?> params, Function<String, T> reader) {
        var settings = route.upstream().settings();
        return client(route)
        .new PendingCall<>(
                observed(route, stages),
                Request.of(MessageId.of(0), method, JsonCodec.write(params)),
                "'" + method + "'",
                overall(settings.timeout(), settings.retry()),
                CallOptions.DEFAULTS,
                (json, correlationId, duration) -> reader.apply(json));
    }

    /** Passes changes of a resource to a listener; waits until the server has accepted the subscription. */
    EventBus.Subscription subscribe(ServerRoute route, String uri, Consumer<String> listener)
            throws InterruptedException {
        var audience = client(route).new ResourceListener(listener);
        var subscriptions = route.upstream().subscriptions();
        Next adding = call -> subscriptions.add(call, uri, audience);
        try {
            var unused = request(route, adding, Methods.RESOURCES_SUBSCRIBE, Map.of("uri", uri), json -> json)
                    .await();
        } catch (RuntimeException | InterruptedException failed) {
            audience.end();
            throw failed;
        }
        return audience::end;
    }
}
