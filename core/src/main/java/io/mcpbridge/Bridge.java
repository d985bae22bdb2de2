package io.mcpbridge;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.routing.Observers;
import io.mcpbridge.routing.Plugins;
import io.mcpbridge.routing.Route;
import io.mcpbridge.routing.ServerReadings;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import io.mcpbridge.upstream.UpstreamParts.Reconnecting;
import io.mcpbridge.upstream.UpstreamStatus;
import io.mcpbridge.upstream.introduction.Identity;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Many servers behind one object, for Java programs. Any thread may use it; whoever opens it closes it.
 *
 * <p>A server is connected by its first call and again after its connection was lost. Servers come and go at run
 * time. Installs no handler and no hook, and prints nothing.
 */
public final class Bridge implements AutoCloseable {
    private final Engine engine;
    private final EnvironmentLease lease;
    private final Map<String, Route> routes = new ConcurrentSkipListMap<>();
    private volatile boolean isClosed;

    private Bridge(Engine engine, EnvironmentLease lease) {
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
     * The same with handlers, an environment or providers of the caller's own.
     *
     * @throws ConfigurationException with every mistake in the file
     */
    public static Bridge open(Path file, BridgeOptions options) {
        try (var lease = EnvironmentLease.of(options.environment())) {
            var environment = lease.environment();
            var plugins = options.plugins();
            return open(
                    BridgeConfiguration.read(
                            file, environment.variables(), found -> mistakes(found, plugins, environment)),
                    options);
        }
    }

    private static List<String> mistakes(BridgeConfiguration found, Plugins plugins, Environment environment) {
        var mistakes = new ArrayList<>(plugins.mistakes(found.servers(), environment));
        try {
            policy(found, plugins);
        } catch (ConfigurationException wrong) {
            mistakes.addAll(wrong.problems());
        }
        return mistakes;
    }

    /** Opens the servers of a configuration. */
    public static Bridge open(BridgeConfiguration configuration) {
        return open(configuration, Plugins.found());
    }

    /** The same with providers of the caller's own. */
    public static Bridge open(BridgeConfiguration configuration, Plugins plugins) {
        return open(configuration, BridgeOptions.DEFAULTS.withPlugins(plugins));
    }

    /** The same with an environment and providers of the caller's own, who also closes the environment. */
    public static Bridge open(BridgeConfiguration configuration, Environment environment, Plugins plugins) {
        return open(
                configuration,
                BridgeOptions.DEFAULTS.withEnvironment(environment).withPlugins(plugins));
    }

    /** The same with handlers, an environment or providers of the caller's own. */
    public static Bridge open(BridgeConfiguration configuration, BridgeOptions options) {
        var lease = EnvironmentLease.of(options.environment());
        Engine engine;
        try {
            engine = engine(configuration, lease.environment(), options);
        } catch (RuntimeException wrong) {
            lease.close();
            throw wrong;
        }
        var bridge = new Bridge(engine, lease);
        engine.watch(() -> ServerReadings.of(bridge.routes.values()));
        try {
            configuration.servers().stream().filter(ServerSettings::enabled).forEach(bridge::addServer);
            return bridge;
        } catch (RuntimeException wrong) {
            bridge.close();
            throw wrong;
        }
    }

    private static Engine engine(BridgeConfiguration configuration, Environment given, BridgeOptions options) {
        var environment = given.withBounds(configuration.bridge().limits().apply(given.bounds()));
        environment.secrets().learn(configuration.secrets());
        var plugins = options.plugins();
        var section = configuration.bridge().plugIns().telemetry();
        var policy = policy(configuration, plugins);
        var observers = Observers.of(section, options.observers(), environment);
        return new Engine(
                environment,
                plugins,
                Identity.OURS,
                new Engine.Choices(options.handlers(), policy, observers, options.checksSchemas()));
    }

    /** The policy that the configuration names, which has to be there; else that of the contract. */
    private static String policy(BridgeConfiguration configuration, Plugins plugins) {
        var section = configuration.bridge().plugIns().retry();
        return section.keys().isEmpty() ? Engine.DEFAULT_POLICY : plugins.policyOf(section, Engine.DEFAULT_POLICY);
    }

    /**
     * Adds a server, which is connected by its first call.
     *
     * @throws ConfigurationException if there is one of that name already, or its settings are wrong
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
            // Closing may have passed by before the server was there.
            removeServer(settings.name());
        }
    }

    private void requireOpen() {
        if (isClosed) {
            throw CallException.of(Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "the bridge is closed; open another one")
                    .withRetryable(false));
        }
    }

    /** Removes a server and ends its calls; false if there is none of that name. */
    public boolean removeServer(String name) {
        var route = routes.remove(name);
        if (route == null) {
            return false;
        }
        route.upstream().close();
        if (!routes.containsKey(name)) {
            route.lists().forget();
        }
        return true;
    }

    /** The names of the servers, in alphabetical order. */
    public List<String> servers() {
        return List.copyOf(routes.keySet());
    }

    /**
     * What a server has beside tools: resources, prompts and completion.
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
     * @throws ConfigurationException if there is no such server
     * @throws io.mcpbridge.failure.CallException if the call gets no answer; see {@link Connection#callTool(String,
     *     Map, CallOptions)}
     */
    public ToolResult callTool(String server, String tool, Map<String, ?> arguments, CallOptions options)
            throws InterruptedException {
        return engine.call(route(server), tool, arguments, options);
    }

    /** Calls a tool without waiting; cancelling the future withdraws the call. */
    public CompletableFuture<ToolResult> callToolAsync(
            String server, String tool, Map<String, ?> arguments, CallOptions options) {
        return engine.callAsync(route(server), tool, arguments, options);
    }

    /** The tools of a server, all pages of them, in the order of their names. */
    public List<ToolDefinition> listTools(String server) throws InterruptedException {
        return engine.list(route(server));
    }

    /**
     * Asks a server for a sign of life: at its {@code healthCheckUrl} where it has one, which is asked with GET and has
     * to answer 2xx, else by a ping. Waits no longer than the server's time-out.
     */
    public ServerHealth checkHealth(String server) throws InterruptedException {
        return new HealthCheck(engine).of(route(server));
    }

    /** Asks all servers for a sign of life at the same time; in the order of their names. */
    public Map<String, ServerHealth> checkAllHealth() throws InterruptedException {
        requireOpen();
        return new HealthCheck(engine).ofAll(List.copyOf(routes.values()));
    }

    /** What is known about each server now, without asking it. */
    public List<UpstreamStatus> status() {
        return routes.values().stream().map(route -> route.upstream().status()).toList();
    }

    /** Where events of the servers and their tools are published. */
    public EventBus events() {
        return engine.events();
    }

    /** Ends every connection and every call. Closing twice is harmless. */
    @Override
    public void close() {
        isClosed = true;
        engine.close();
        for (var name : servers()) {
            removeServer(name);
        }
        lease.close();
    }

    private Route route(String server) {
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
