package io.mcpbridge;

import io.mcpbridge.config.BridgeEnvironmentVariables;
import io.mcpbridge.config.ListLimits;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.Observers;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import io.mcpbridge.engine.upstream.lists.ListsByCaller;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.MemoryToolCatalog;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A client for one MCP server. Any thread may use it; the caller that opens it closes it.
 *
 * <p>A connection connects once and never reconnects; a {@link Bridge} does. It lists the tools when it connects, and
 * checks arguments and results against their schemas if {@code mcp-bridge-catalog} is on the class path, unless {@link
 * ConnectionOptions#withoutSchemaCheck()} says otherwise. A connection installs no log handler and no shutdown hook, and
 * prints nothing.
 */
public final class Connection implements AutoCloseable {
    static final String SCHEMA_CHECK = "schema-check";

    private static final int LONGEST_NAME = 64;

    private final URI uri;
    private final ProgramEngine engine;
    private final ServerRoute route;
    private final StandardEnvironment.Lease lease;

    private Connection(URI uri, ProgramEngine engine, ServerRoute route, StandardEnvironment.Lease lease) {
        this.uri = uri;
        this.engine = engine;
        this.route = route;
        this.lease = lease;
    }

    /** Connects with {@link ConnectionOptions#DEFAULTS}. */
    public static Connection to(URI uri) throws InterruptedException {
        return to(uri, ConnectionOptions.DEFAULTS);
    }

    /**
     * Connects, performs the handshake and lists the tools.
     *
     * @param uri the address of the server, such as {@code unix:/run/user/1000/tool.sock} or {@code https://host/mcp}
     * @throws ConfigurationException if no transport serves the URI, or an option or a variable is wrong
     * @throws TransportException if the server cannot be reached or refuses the handshake, or if its tools
     *     cannot be listed
     */
    public static Connection to(URI uri, ConnectionOptions options) throws InterruptedException {
        if (uri.getScheme() == null) {
            throw ConfigurationException.of(
                    "%s has no scheme; write for example unix:/run/tool.sock or http://localhost:3001/mcp"
                            .formatted(MistakeCollector.shown(uri)));
        }
        return open(uri, Map.of("url", uri.toString()), options);
    }

    /**
     * Starts a server as a child process and connects over its standard streams; closing the connection ends it.
     *
     * @param command the program and its arguments
     * @throws ConfigurationException if the stdio transport is missing, or an option or a variable is wrong
     * @throws TransportException if the server cannot be started or refuses the handshake, or if its tools
     *     cannot be listed
     */
    public static Connection toCommand(List<String> command, ConnectionOptions options) throws InterruptedException {
        // The name has no arguments, since they may hold secrets.
        var uri = URI.create("stdio:" + URLEncoder.encode(command.get(0), StandardCharsets.UTF_8));
        var place = Map.of("command", command.get(0), "args", command.subList(1, command.size()));
        return open(uri, place, options);
    }

    private static Connection open(URI uri, Map<String, ?> place, ConnectionOptions options)
            throws InterruptedException {
        var values = new LinkedHashMap<String, Object>(ListLimits.ALONE.keys());
        values.putAll(options.settings());
        values.putAll(place);
        var settings = Settings.of(values);
        var lease = StandardEnvironment.lease(options.environment(), settings);
        try {
            return open(uri, settings, options, lease);
        } catch (RuntimeException | LinkageError | InterruptedException failed) {
            lease.close();
            throw failed;
        }
    }

    private static Connection open(
            URI uri, Settings settings, ConnectionOptions options, StandardEnvironment.Lease lease)
            throws InterruptedException {
        var plugins = new Plugins(
                Providers.of(TransportProvider.class, options.transports()),
                Providers.of(RetryPolicyProvider.class),
                Providers.of(CallStageProvider.class));
        var type = plugins.transportFor(uri.getScheme()).name();
        var engine = new ProgramEngine(
                lease.environment(),
                plugins,
                BridgeIdentity.OURS.withClientId(options.clientId()),
                new ProgramEngine.Choices(
                        options.handlers(),
                        ProgramEngine.DEFAULT_POLICY,
                        Observers.only(options.observers(), lease.environment()),
                        !settings.says(SCHEMA_CHECK, "none"),
                        new MemoryToolCatalog()));
        var route = engine.open(
                ServerSettings.of(
                        name(uri),
                        type,
                        settings,
                        BridgeEnvironmentVariables.of(lease.environment().variables())
                                .timeout()),
                Reconnecting.NEVER);
        try {
            refuseUnknown(settings);
            engine.connect(route).ifPresent(why -> {
                throw TransportException.of(why);
            });
            if (!settings.says(SCHEMA_CHECK, "none")) {
                listTools(engine, route);
            }
            engine.watch(() -> ServerRoute.readings(List.of(route)));
            return new Connection(uri, engine, route, lease);
        } catch (RuntimeException | LinkageError | InterruptedException failed) {
            route.upstream().close();
            throw failed;
        }
    }

    private static void listTools(ProgramEngine engine, ServerRoute route) throws InterruptedException {
        try {
            var unused = engine.list(route, route.tools());
        } catch (CallException notListed) {
            throw TransportException.of(notListed.failure());
        }
    }

    /** The name of the server in messages: its program, its host and port, or the file of its socket. */
    private static String name(URI uri) {
        var place = uri.getHost() == null
                ? URLDecoder.decode(uri.getRawSchemeSpecificPart(), StandardCharsets.UTF_8)
                        .replaceFirst(".*/", "")
                        .replaceFirst("(?<=.)[.]sock$", "")
                : uri.getHost() + (uri.getPort() < 0 ? "" : "-" + uri.getPort());
        var name = place.replaceAll("[^A-Za-z0-9]+", "-").replaceAll("^-|-$", "");
        return name.isEmpty() ? "server" : name.substring(0, Math.min(LONGEST_NAME, name.length()));
    }

    /** Rejects the keys that neither the transport nor the engine has read. */
    private static void refuseUnknown(Settings settings) {
        settings.ignore("url", "command", "args", SCHEMA_CHECK);
        var unknown = settings.unknownKeyWarnings();
        if (!unknown.isEmpty()) {
            throw ConfigurationException.ofAll(unknown);
        }
    }

    /** The address of the server. */
    public URI uri() {
        return uri;
    }

    /** The state of the server and the connection now. */
    public ServerStatus status() {
        return ServerStatus.of(route.upstream().status());
    }

    /** Calls a tool and waits for its result. */
    public ToolResult callTool(String name, Map<String, ?> arguments) throws InterruptedException {
        return callTool(name, arguments, CallOptions.DEFAULTS);
    }

    /**
     * Calls a tool and waits for its result. A result whose {@code isError} is true is a result.
     *
     * @throws io.mcpbridge.failure.CallException if the server answers with an error, the time is up, or the connection
     *     fails; the exception has a code for the cause, the number of attempts, and whether another attempt may
     *     succeed
     */
    public ToolResult callTool(String name, Map<String, ?> arguments, CallOptions options) throws InterruptedException {
        return engine.call(route, name, arguments, options).await();
    }

    /** Calls a tool without waiting; see {@link #callToolAsync(String, Map, CallOptions)}. */
    public CompletableFuture<ToolResult> callToolAsync(String name, Map<String, ?> arguments) {
        return callToolAsync(name, arguments, CallOptions.DEFAULTS);
    }

    /**
     * Calls a tool without waiting; cancelling the future cancels the call. The future fails with what {@link
     * #callTool(String, Map, CallOptions)} throws.
     */
    public CompletableFuture<ToolResult> callToolAsync(String name, Map<String, ?> arguments, CallOptions options) {
        return engine.callAsync(() -> route, name, arguments, options);
    }

    /**
     * The server's tools, all pages of them, in the order of the server.
     *
     * @throws CallException if they cannot be listed, or the connection is closed
     */
    public List<ToolDefinition> listTools() throws InterruptedException {
        return engine.list(route, tools());
    }

    /** The resources, prompts, completion, log and ping of the server. */
    public RemoteServer server() {
        return new RemoteServer(engine, () -> route);
    }

    /**
     * The JSON Schema of a tool's arguments in the last list; empty if the tool is unknown.
     *
     * @throws CallException if the connection is closed
     */
    public Optional<Json> toolSchema(String name) {
        return tools().find(name).flatMap(ToolDefinition::inputSchema);
    }

    private ListsByCaller<ToolDefinition> tools() {
        if (engine.isClosed()) {
            throw CallException.of(route.upstream().parts().closed());
        }
        return route.tools();
    }

    /** Ends the connection and releases its lists; a call after it fails at once. A second call does nothing. */
    @Override
    public void close() {
        engine.close();
        route.upstream().close();
        route.lists().clear();
        lease.close();
    }
}
