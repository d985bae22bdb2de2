package io.mcpbridge;

import io.mcpbridge.ServerHealth.HealthCheck;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.Observers;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * A client for many MCP servers. Any thread may use it; the caller that opens it closes it.
 *
 * <p>The first call to a server connects it; the bridge reconnects it after a loss. Servers can be added and removed at
 * run time. A bridge installs no log handler and no shutdown hook, and prints nothing.
 */
public final class Bridge implements AutoCloseable {
    private final ProgramEngine engine;
    private final StandardEnvironment.Lease lease;
    private final Map<String, ServerRoute> routes = new ConcurrentSkipListMap<>();
    private volatile boolean isClosed;

    private Bridge(ProgramEngine engine, StandardEnvironment.Lease lease) {
        this.engine = engine;
        this.lease = lease;
    }

    /**
     * Opens the servers of a configuration file.
     *
     * @throws ConfigurationException with every mistake in the file
     */
    public static Bridge open(Path file) {
        return open(file, BridgeOptions.DEFAULTS);
    }

    /**
     * Opens the servers of a configuration file with other options, such as the caller's handlers or providers.
     *
     * @throws ConfigurationException with every mistake in the file
     */
    public static Bridge open(Path file, BridgeOptions options) {
        try (var lease = StandardEnvironment.lease(options.environment())) {
            var environment = lease.environment();
            var plugins = options.plugins();
            return open(
                    BridgeConfiguration.read(
                            file, environment.variables(), found -> check(found, plugins, environment)),
                    options);
        }
    }

    private static void check(BridgeConfiguration found, Plugins plugins, Environment environment) {
        var mistakes = new MistakeCollector();
        var policy = mistakes.collect(() -> policy(found, plugins));
        mistakes.check(() -> plugins.check(found.servers(), policy.orElse("none"), environment));
        mistakes.throwIfAny();
    }

    /** Opens the servers of a configuration. */
    public static Bridge open(BridgeConfiguration configuration, BridgeOptions options) {
        var lease = StandardEnvironment.lease(options.environment(), configuration);
        ProgramEngine engine;
        try {
            engine = engine(configuration, lease.environment(), options);
        } catch (RuntimeException | LinkageError wrong) {
            lease.close();
            throw wrong;
        }
        var bridge = new Bridge(engine, lease);
        engine.watch(() -> ServerRoute.readings(bridge.routes.values()));
        try {
            configuration.servers().stream().filter(ServerSettings::enabled).forEach(bridge::addServer);
            return bridge;
        } catch (RuntimeException | LinkageError wrong) {
            bridge.close();
            throw wrong;
        }
    }

    private static ProgramEngine engine(BridgeConfiguration configuration, Environment given, BridgeOptions options) {
        var environment = given.withLimits(configuration.bridge().limits().apply(given.limits()));
        environment.secrets().learn(configuration.secrets());
        var plugins = options.plugins();
        var section = configuration.bridge().plugIns().telemetry();
        var policy = policy(configuration, plugins);
        var observers = Observers.of(section, options.observers(), environment);
        return new ProgramEngine(
                environment,
                plugins,
                BridgeIdentity.OURS,
                new ProgramEngine.Choices(options.handlers(), policy, observers, options.checksSchemas()));
    }

    /** Returns the name of the configured retry policy, which must exist; the default if none is configured. */
    private static String policy(BridgeConfiguration configuration, Plugins plugins) {
        var section = configuration.bridge().plugIns().retry();
        return section.keys().isEmpty()
                ? ProgramEngine.DEFAULT_POLICY
                : plugins.policyOf(section, ProgramEngine.DEFAULT_POLICY);
    }

    /**
     * Adds a server. Its first call connects it.
     *
     * @throws ConfigurationException if a server of that name exists already, or its settings are wrong
     */
    public void addServer(ServerSettings settings) {
        requireOpen();
        var route = engine.open(settings, Reconnecting.ON_DEMAND);
        if (routes.putIfAbsent(settings.name(), route) != null) {
            route.upstream().close();
            throw ConfigurationException.of(
                    "there is a server '%s' already; remove it first".formatted(settings.name()));
        }
        if (isClosed) {
            // A concurrent close() may have missed this server.
            removeServer(settings.name());
        }
    }

    private void requireOpen() {
        if (isClosed) {
            throw CallException.of(Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the bridge is closed; open another one")
                    .withRetryable(false));
        }
    }

    /** Removes a server and ends its calls; returns false if no server has this name. */
    public boolean removeServer(String name) {
        var route = routes.remove(name);
        if (route == null) {
            return false;
        }
        route.upstream().close();
        if (!routes.containsKey(name)) {
            route.lists().clear();
        }
        return true;
    }

    /** The names of the servers, in alphabetical order. */
    public List<String> servers() {
        return List.copyOf(routes.keySet());
    }

    /**
     * The resources, prompts, completion, log and ping of a server.
     *
     * @throws ConfigurationException if there is no such server
     */
    public RemoteServer server(String name) {
        var unused = route(name);
        return new RemoteServer(engine, () -> route(name));
    }

    /** Calls a tool of a server and waits for its result. */
    public ToolResult callTool(String server, String tool, Map<String, ?> arguments) throws InterruptedException {
        return callTool(server, tool, arguments, CallOptions.DEFAULTS);
    }

    /**
     * Calls a tool of a server and waits for its result. A result whose {@code isError} is true is a result.
     *
     * @throws ConfigurationException if no server has this name @throws io.mcpbridge.failure.CallException if the call
     *     gets no answer; see {@link Connection#callTool(String, Map, CallOptions)}
     */
    public ToolResult callTool(String server, String tool, Map<String, ?> arguments, CallOptions options)
            throws InterruptedException {
        return engine.call(route(server), tool, arguments, options).await();
    }

    /** Calls a tool without waiting; cancelling the future cancels the call. */
    public CompletableFuture<ToolResult> callToolAsync(
            String server, String tool, Map<String, ?> arguments, CallOptions options) {
        return engine.call(route(server), tool, arguments, options).future();
    }

    /** The tools of a server, all pages of them, in the order of the server. */
    public List<ToolDefinition> listTools(String server) throws InterruptedException {
        var route = route(server);
        return engine.list(route, route.tools());
    }

    /**
     * Checks whether a server works. Sends a GET to its {@code healthCheckUrl}, which must answer 2xx; without a URL,
     * sends a ping. Waits at most for the server's time-out.
     */
    public ServerHealth checkHealth(String server) throws InterruptedException {
        return new HealthCheck(engine).of(route(server));
    }

    /** Checks all servers at the same time. The result is in the order of their names. */
    public Map<String, ServerHealth> checkAllHealth() throws InterruptedException {
        requireOpen();
        return new HealthCheck(engine).ofAll(List.copyOf(routes.values()));
    }

    /** The state of each server now; sends nothing to the servers. */
    public List<ServerStatus> status() {
        return routes.values().stream()
                .map(route -> ServerStatus.of(route.upstream().status()))
                .toList();
    }

    /** Publishes the events of the servers and their tools. */
    public EventBus events() {
        return engine.events();
    }

    /** Ends every connection and every call. A second call does nothing. */
    @Override
    public void close() {
        isClosed = true;
        engine.close();
        for (var name : servers()) {
            removeServer(name);
        }
        lease.close();
    }

    private ServerRoute route(String server) {
        requireOpen();
        Objects.requireNonNull(server, "the name of the server must not be null");
        var route = routes.get(server);
        if (route == null) {
            throw ConfigurationException.of("there is no server '%s'; %sthere are %s"
                    .formatted(server, Nearest.question(server, routes.keySet()), routes.keySet()));
        }
        return route;
    }
}
