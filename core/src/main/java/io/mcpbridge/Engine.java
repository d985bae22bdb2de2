package io.mcpbridge;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CallStart;
import io.mcpbridge.call.CorrelationIds;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.config.RetrySettings;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.internal.json.Json;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.pipeline.OneOutcome;
import io.mcpbridge.pipeline.OverallDeadline;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.routing.Observers;
import io.mcpbridge.routing.Patience;
import io.mcpbridge.routing.Plugins;
import io.mcpbridge.routing.Route;
import io.mcpbridge.routing.Servers;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.standard.MemoryToolCatalog;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import io.mcpbridge.upstream.UpstreamParts.Reconnecting;
import io.mcpbridge.upstream.introduction.Identity;
import io.mcpbridge.upstream.lists.UpstreamList;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** What {@link Connection} and {@link Bridge} share: the right half of the bridge, put together for Java callers. */
final class Engine {
    /** The library's default, rows A5 to A7 of the contract. */
    static final String DEFAULT_POLICY = "exponential";

    /** Programs have arguments and results checked unless they say otherwise, where there is somebody who can. */
    private static final String SCHEMA_CHECK = "schema-check";

    /** What a call's overall deadline leaves for the work between its attempts and pauses. */
    private static final Duration SLACK = Duration.ofSeconds(5);

    private final Environment environment;
    private final EventBus events;
    private final ToolCatalog catalog = new MemoryToolCatalog();
    private final Servers servers;
    private final ToolCaller tools;
    private final Choices choices;
    private final Map<String, Counterpart> counterparts = new ConcurrentHashMap<>();

    /**
     * What the program chooses for all servers.
     *
     * @param handlers what servers can ask it, by method
     * @param retryPolicy the name of the policy for servers that name none
     * @param observers who watch the calls; the engine closes them
     * @param checksSchemas whether arguments and results are compared where no section says otherwise
     */
    record Choices(
            Map<String, QuestionHandler> handlers, String retryPolicy, Observers observers, boolean checksSchemas) {}

    Engine(Environment environment, Plugins plugins, Identity identity, Choices choices) {
        this.environment = environment;
        this.events = new EventBus(environment.logger());
        this.servers = new Servers(environment, plugins, events, catalog, identity, changed -> {});
        this.choices = choices;
        if (choices.checksSchemas()) {
            servers.usually(Settings.of(Map.of(SCHEMA_CHECK, Map.of())));
        }
        servers.watchedBy(choices.observers().bystanders());
        this.tools = new ToolCaller(environment);
    }

    Timekeeper timekeeper() {
        return environment.timekeeper();
    }

    Executor workers() {
        return environment.workers();
    }

    /** The program as the server of {@code route} meets it; outlives the server, for one of the same name. */
    Counterpart counterpart(Route route) {
        return counterparts.computeIfAbsent(
                route.upstream().name(), server -> new Counterpart(server, choices.handlers(), environment));
    }

    /**
     * Withdraws every call that a program waits for; the servers are closed by whoever opened them. Closing twice is
     * harmless.
     */
    void close() {
        tools.close();
        choices.observers().close();
    }

    /** Lets those who watch calls read the state of the servers too. */
    void watch(Supplier<Map<String, List<Reading>>> servers) {
        choices.observers().watch(servers);
    }

    EventBus events() {
        return events;
    }

    Route open(ServerSettings settings, Reconnecting reconnecting) {
        return servers.open(settings, reconnecting, choices.retryPolicy());
    }

    /** Opens the session of {@code route} and waits for it. */
    java.util.Optional<Failure> connect(Route route) throws InterruptedException {
        var call = own(route, Methods.INITIALIZE);
        return Wait.failure(Wait.forOutcome(call, route.upstream()::connect));
    }

    /** Sends {@code ping} and waits for its answer. */
    java.util.Optional<Failure> ping(Route route) throws InterruptedException {
        var call = own(route, Methods.PING);
        return Wait.failure(Wait.forOutcome(call, route.upstream()::handle));
    }

    ToolResult call(Route route, String tool, Map<String, ?> arguments, CallOptions options)
            throws InterruptedException {
        return tools.call(order(route, tool, arguments, options));
    }

    CompletableFuture<ToolResult> callAsync(Route route, String tool, Map<String, ?> arguments, CallOptions options) {
        return tools.callAsync(order(route, tool, arguments, options));
    }

    List<ToolDefinition> list(Route route) throws InterruptedException {
        return list(route, route.tools());
    }

    /** All elements of a list, which the server is asked for unless they are known. */
    <T> List<T> list(Route route, UpstreamList<T> list) throws InterruptedException {
        try {
            return listing(route, list).get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof CallException why) {
                throw why;
            }
            throw new IllegalStateException("listing ended in a defect of the bridge", failed.getCause());
        }
    }

    /** The same without waiting; what depends on the future runs on a worker. */
    <T> CompletableFuture<List<T>> listAsync(Route route, UpstreamList<T> list) {
        return listing(route, list).thenApplyAsync(found -> found, environment.workers());
    }

    private <T> CompletableFuture<List<T>> listing(Route route, UpstreamList<T> list) {
        var listed = new CompletableFuture<List<T>>();
        list.list(counterpart(route).caller(), new UpstreamList.Listed<>() {
            @Override
            public void items(List<T> found) {
                listed.complete(found);
            }

            @Override
            public void failed(Failure why) {
                listed.completeExceptionally(CallException.of(why));
            }
        });
        return listed;
    }

    /** Sends a request through the server's stages and waits for its result, which is returned as raw JSON. */
    String ask(Route route, String method, Map<String, ?> params) throws InterruptedException {
        return tools.call(asking(route, method, params, json -> json));
    }

    /** The same without waiting; cancelling the future withdraws the request. */
    <T> CompletableFuture<T> askAsync(Route route, String method, Map<String, ?> params, Function<String, T> reading) {
        return tools.callAsync(asking(route, method, params, reading));
    }

    private <T> ToolCaller.Order<T> asking(
            Route route, String method, Map<String, ?> params, Function<String, T> reading) {
        var settings = route.upstream().settings();
        return new ToolCaller.Order<>(
                counterpart(route),
                guarded(route, route.handler()),
                Request.of(MessageId.of(0), method, Json.write(params)),
                "'" + method + "'",
                (json, correlationId, duration) -> reading.apply(json),
                overall(settings.timeout(), settings.retry()),
                CallOptions.DEFAULTS);
    }

    /** Has {@code listener} hear of changes of a resource; waits until the server has taken the subscription. */
    EventBus.Subscription subscribe(Route route, String uri, Consumer<String> listener) throws InterruptedException {
        var audience = new ChangeListener(listener, environment.logger());
        var subscriptions = route.upstream().subscriptions();
        Handler adding = (call, reply) -> subscriptions.add(call, uri, audience, reply);
        var settings = route.upstream().settings();
        try {
            tools.call(new ToolCaller.Order<>(
                    counterpart(route),
                    guarded(route, adding),
                    Request.of(MessageId.of(0), Methods.RESOURCES_SUBSCRIBE, Json.write(Map.of("uri", uri))),
                    "'" + Methods.RESOURCES_SUBSCRIBE + "'",
                    (json, correlationId, duration) -> json,
                    overall(settings.timeout(), settings.retry()),
                    CallOptions.DEFAULTS));
        } catch (RuntimeException | InterruptedException failed) {
            audience.end();
            throw failed;
        }
        return audience::end;
    }

    private Call own(Route route, String method) {
        var deadline = Deadline.after(route.upstream().settings().timeout(), environment.timekeeper());
        var request = Request.of(MessageId.of(0), method, "{}");
        var caller = counterpart(route).caller().withoutSession();
        return Call.of(request, caller, CorrelationIds.next(environment.random()), deadline);
    }

    private ToolCaller.Order<ToolResult> order(
            Route route, String tool, Map<String, ?> arguments, CallOptions options) {
        Objects.requireNonNull(tool, "the name of the tool must not be null");
        Objects.requireNonNull(arguments, "arguments must not be null; write Map.of() where there are none");
        Objects.requireNonNull(options, "options must not be null; write CallOptions.DEFAULTS");
        var settings = route.upstream().settings().tool(tool);
        var retry = options.retry(settings.retry());
        var timeout = options.timeout().orElse(settings.timeout());
        var hasOverrides = options.timeout().isPresent() || !retry.equals(settings.retry());
        var handler = hasOverrides ? overridden(route, retry, timeout) : route.handler();
        return ToolCaller.tool(tool, arguments, options)
                .of(counterpart(route), guarded(route, handler), overall(timeout, retry));
    }

    private Handler overridden(Route route, RetrySettings retry, Duration timeout) {
        var policy = servers.policy(retry, choices.retryPolicy());
        return servers.handler(route, Patience.of(policy, timeout));
    }

    private Handler guarded(Route route, Handler handler) {
        var order = new ArrayList<CallStage>();
        order.add(new OneOutcome(environment.logger()));
        order.addAll(choices.observers().stage(CallStart.Origin.PROGRAM, route.lists()::name));
        order.add(new OverallDeadline());
        return Pipeline.of(order, handler);
    }

    /** Long enough for every attempt to use its own time and for the pauses between. */
    private static Duration overall(Duration timeout, RetrySettings retry) {
        // In long and not in Duration, whose multiplication goes by way of big decimals and is for each call.
        var attempts = retry.maxRetries() + 1L;
        var pauses = (double) retry.delay().toMillis() * (Math.pow(retry.multiplier(), retry.maxRetries()) - 1);
        var longest = (double) TimeUnit.HOURS.toMillis(24);
        return Duration.ofMillis(attempts * timeout.toMillis() + (long) Math.min(pauses, longest) + SLACK.toMillis());
    }
}
