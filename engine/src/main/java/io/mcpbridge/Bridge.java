package io.mcpbridge;

import io.mcpbridge.ServerHealth.HealthCheck;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.BridgeSettings;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.ConfiguredCatalog;
import io.mcpbridge.engine.Fronts;
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
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Nearest;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * A client for many MCP servers. Any thread may use it; the caller that opens it closes it.
 *
 * <p>The first call to a server connects it; the bridge reconnects it after a loss. Servers can be added and removed at
 * run time. A bridge installs no log handler and no shutdown hook, and prints nothing.
 */
public final class Bridge implements AutoCloseable {
    private static final String NO_SERVER = "the name of the server must not be null";

    private final ProgramEngine engine;
    private final StandardEnvironment.Lease lease;
    private final Map<String, ServerRoute> routes = new ConcurrentSkipListMap<>();
    private final Fronts fronts;
    private volatile boolean isClosed;

    private Bridge(ProgramEngine engine, StandardEnvironment.Lease lease, BridgeSettings settings) {
        this.engine = engine;
        this.lease = lease;
        this.fronts = engine.fronts(settings, routes);
    }

    /** Returns a builder for servers that the program names. */
    public static Builder builder() {
        return new Builder();
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
        return open(options, (variables, check) -> BridgeConfiguration.read(file, variables, check));
    }

    private static Bridge open(
            BridgeOptions options,
            BiFunction<Map<String, String>, Consumer<BridgeConfiguration>, BridgeConfiguration> reader) {
        try (var lease = StandardEnvironment.lease(options.environment())) {
            var environment = lease.environment();
            var plugins = options.plugins();
            return open(reader.apply(environment.variables(), found -> check(found, plugins, environment)), options);
        }
    }

    private static void check(BridgeConfiguration found, Plugins plugins, Environment environment) {
        var mistakes = new MistakeCollector();
        var policy = mistakes.collect(() -> policy(found, plugins));
        mistakes.check(() -> plugins.check(found.servers(), policy.orElse("none"), environment));
        mistakes.check(() -> ConfiguredCatalog.of(found).make(environment).close());
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
        var bridge = new Bridge(engine, lease, configuration.bridge());
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
        var catalog = ConfiguredCatalog.of(configuration).make(environment);
        var observers = Observers.of(section, options.observers(), environment);
        return new ProgramEngine(
                environment,
                plugins,
                BridgeIdentity.OURS,
                new ProgramEngine.Choices(options.handlers(), policy, observers, options.checksSchemas(), catalog));
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
        fronts.serverChanged(settings.name());
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
        fronts.serverChanged(name);
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

    /**
     * Returns the acceptor for clients that an adapter or a listener of this program connects. They see all servers under
     * exposed names, as clients of the daemon do; the configuration of audit and clients applies to their calls. Once the
     * bridge is closed, it rejects clients.
     *
     * @throws ConfigurationException if the section {@code audit} is wrong
     */
    public Acceptor front() {
        requireOpen();
        return fronts.ofAll();
    }

    /**
     * Does the same for one server, whose clients see its own names; the section {@code clients} does not apply. A list
     * that the server cannot give fails.
     *
     * @throws ConfigurationException also if there is no such server
     */
    public Acceptor front(String server) {
        var unused = route(server);
        return fronts.of(server);
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

    /** Calls a tool without waiting; see {@link #callToolAsync(String, String, Map, CallOptions)}. */
    public CompletableFuture<ToolResult> callToolAsync(String server, String tool, Map<String, ?> arguments) {
        return callToolAsync(server, tool, arguments, CallOptions.DEFAULTS);
    }

    /**
     * Calls a tool without waiting; cancelling the future cancels the call. The future fails with what {@link
     * #callTool(String, String, Map, CallOptions)} throws.
     */
    public CompletableFuture<ToolResult> callToolAsync(
            String server, String tool, Map<String, ?> arguments, CallOptions options) {
        Objects.requireNonNull(server, NO_SERVER);
        return engine.callAsync(() -> route(server), tool, arguments, options);
    }

    /**
     * The tools of a server, all pages of them, in the order of the server. Their hints are those that the bridge uses,
     * with what the operator declares.
     */
    public List<ToolDefinition> listTools(String server) throws InterruptedException {
        return engine.listTools(route(server));
    }

    /**
     * The JSON Schema of a tool's arguments in the last list of its server, which is requested if it lacks the tool; empty
     * if the tool is unknown.
     */
    public Optional<Json> toolSchema(String server, String tool) throws InterruptedException {
        var tools = route(server).tools();
        if (tools.find(tool).isEmpty()) {
            var unused = listTools(server);
        }
        return tools.find(tool).flatMap(ToolDefinition::inputSchema);
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
        fronts.endClients();
        engine.close();
        for (var name : servers()) {
            removeServer(name);
        }
        fronts.close();
        lease.close();
    }

    private ServerRoute route(String server) {
        requireOpen();
        Objects.requireNonNull(server, NO_SERVER);
        var route = routes.get(server);
        if (route == null) {
            throw ConfigurationException.of("there is no server '%s'; %sthere are %s"
                    .formatted(server, Nearest.question(server, routes.keySet()), routes.keySet()));
        }
        return route;
    }

    /**
     * Collects the servers of a bridge. Settings have the keys of a server in a configuration file; their texts are taken
     * as they are, without placeholders. For one thread.
     */
    public static final class Builder {
        private final Map<String, Map<String, ?>> servers = new LinkedHashMap<>();
        private final List<String> repeated = new ArrayList<>();
        private BridgeOptions options = BridgeOptions.DEFAULTS;

        private Builder() {}

        /** Adds a server that is a child process. */
        public Builder stdio(String name, String command, String... arguments) {
            return add(name, "stdio", Map.of(), Map.of("command", command, "args", List.of(arguments)));
        }

        /**
         * Adds a server that is a child process, with further settings.
         *
         * @param command the program and its arguments
         */
        public Builder stdio(String name, List<String> command, Map<String, ?> settings) {
            var place = Map.of("command", command.get(0), "args", command.subList(1, command.size()));
            return add(name, "stdio", settings, place);
        }

        /** Adds a server over HTTP. */
        public Builder http(String name, URI url) {
            return http(name, url, Map.of());
        }

        /** Adds a server over HTTP, with further settings. */
        public Builder http(String name, URI url, Map<String, ?> settings) {
            return add(name, "http", settings, Map.of("url", url.toString()));
        }

        /** Adds a server at a Unix socket. */
        public Builder unix(String name, Path socket) {
            return unix(name, socket, Map.of());
        }

        /** Adds a server at a Unix socket, with further settings. */
        public Builder unix(String name, Path socket, Map<String, ?> settings) {
            return add(name, "unix", settings, Map.of("path", socket.toString()));
        }

        private Builder add(String name, String type, Map<String, ?> settings, Map<String, ?> place) {
            var section = new LinkedHashMap<String, Object>(Map.of("type", type));
            section.putAll(settings);
            section.putAll(place);
            if (servers.putIfAbsent(Objects.requireNonNull(name, NO_SERVER), section) != null) {
                repeated.add("there are two servers '%s'; give one another name".formatted(name));
            }
            return this;
        }

        /** Sets the options; without them, the bridge has {@link BridgeOptions#DEFAULTS}. */
        public Builder options(BridgeOptions newOptions) {
            options = Objects.requireNonNull(newOptions);
            return this;
        }

        /**
         * Opens the bridge. The first call to a server connects it.
         *
         * @throws ConfigurationException with every mistake, including unknown keys
         */
        public Bridge open() {
            return Bridge.open(
                    options,
                    (variables, check) -> BridgeConfiguration.of(servers, variables, found -> check(found, check)));
        }

        private void check(BridgeConfiguration found, Consumer<BridgeConfiguration> plugins) {
            var mistakes = new MistakeCollector();
            repeated.forEach(mistakes::add);
            mistakes.check(() -> plugins.accept(found));
            // A transport that is missing has not read them.
            found.servers().forEach(server -> server.settings().ignore("command", "args", "url", "path"));
            found.warnings().forEach(mistakes::add);
            mistakes.throwIfAny();
        }
    }
}
