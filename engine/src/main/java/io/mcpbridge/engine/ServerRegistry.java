package io.mcpbridge.engine;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.config.UserAccess;
import io.mcpbridge.engine.routing.Router;
import io.mcpbridge.engine.routing.RoutingTable;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.ToolCatalog;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The servers behind a bridge, with their routes, which a reload replaces. One thread at a time opens, replaces and
 * closes; any thread reads.
 */
public final class ServerRegistry {
    /**
     * The interval of checks for the last call. It is long enough for a call that the old routes resolved to reach its
     * server.
     */
    private static final Duration DRAIN_POLL_INTERVAL = Duration.ofMillis(100);

    private final Environment environment;
    private final Router router;
    private final ListChangeNotifier changes;
    private final RouteFactory servers;
    private final Set<ConfiguredServer> draining = ConcurrentHashMap.newKeySet();
    private volatile ToolNaming names = ToolNaming.PREFIX;
    private volatile UserAccess visibility = UserAccess.ALL;
    private volatile List<ConfiguredServer> current = List.of();

    /** Creates a registry without servers. */
    public ServerRegistry(Environment environment, Plugins plugins, EventBus events, ToolCatalog catalog) {
        this.environment = environment;
        this.router = new Router(RoutingTable.of(List.of(), names), environment.timekeeper(), environment.logger());
        this.changes = new ListChangeNotifier(environment.timekeeper());
        this.servers = new RouteFactory(
                environment,
                plugins,
                events,
                catalog,
                BridgeIdentity.OURS,
                (server, changed) -> changes.accept(changed));
    }

    /** Keeps the tools of shared servers in this folder for the next run; call it before {@link #open}. */
    public void keepLists(Path folder) {
        servers.keepLists(folder);
    }

    /** Sets the observers of the servers and what sends a notification to all clients. */
    void connect(Observers observers, Consumer<Notification> clients) {
        servers.useObservers(observers.list());
        changes.sendTo(clients);
    }

    Environment environment() {
        return environment;
    }

    Router router() {
        return router;
    }

    /** Describes a call for the audit by its request alone. */
    public AuditedCall named(Call call) {
        return router.named(call);
    }

    /** The status of each server, in the order of the configuration. */
    public List<ManagedServerStatus> statuses() {
        return current.stream().map(ConfiguredServer::status).toList();
    }

    /** The readings of all servers with a route, by server. */
    public Map<String, List<GaugeReading>> readings() {
        return ServerRoute.readings(routes(current));
    }

    /** The calls that are suspended until their clients answer. */
    public SuspendedCallStatus suspendedCalls() {
        var status = servers.suspendedCalls().status();
        return new SuspendedCallStatus(status.suspended(), status.oldest(), status.lapsed());
    }

    /** Notifies clients of all lists, after servers were added or removed. */
    public void notifyAllLists() {
        changes.notifyAllLists();
    }

    private static List<ServerRoute> routes(List<ConfiguredServer> servers) {
        return servers.stream()
                .map(ConfiguredServer::route)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Creates every server; logs those with unusable settings, which appear in {@link #statuses}. */
    public void open(BridgeConfiguration configuration, String defaultPolicy) {
        servers.suspendedCalls().limit(configuration.bridge().suspendedCalls());
        var made = new ArrayList<ConfiguredServer>();
        for (var settings : configuration.servers()) {
            made.add(make(settings, defaultPolicy, why -> without(settings, defaultPolicy, "unavailable", why)));
        }
        servers.useNames(configuration.bridge().names());
        exchange(made, configuration);
    }

    /** Connects the eager servers, once the sockets exist that their sandbox hides. */
    public void connectEager() {
        connectEagerServers(current);
    }

    /**
     * Creates new and changed servers, keeps unchanged ones, and closes the others after their last call. A server that
     * was left out is tried again.
     *
     * @return whether lists of clients may have changed
     * @throws ConfigurationException with every mistake; then nothing has changed
     */
    public boolean replace(BridgeConfiguration configuration, String defaultPolicy) {
        var before = current;
        var now = successors(configuration, defaultPolicy);
        var fresh = now.stream().filter(server -> !before.contains(server)).toList();
        var removed = before.stream().filter(server -> !now.contains(server)).toList();
        servers.useNames(configuration.bridge().names());
        var stayed = now.stream().filter(before::contains).toList();
        var isRenamed = names != configuration.bridge().names();
        var isViewChanged =
                isRenamed || !visibility.equals(configuration.bridge().visibility());
        exchange(now, configuration);
        draining.addAll(removed);
        var deadline = Deadline.after(configuration.bridge().drainTimeout(), environment.timekeeper());
        removed.forEach(server -> drain(server, deadline));
        if (isRenamed) {
            // With other server names, other tools may break the rule for names.
            routes(stayed).forEach(route -> route.tools().reload("", () -> {}));
        }
        connectEagerServers(fresh);
        return isViewChanged || !fresh.isEmpty() || !removed.isEmpty();
    }

    /** Returns the servers to use from now on; closes the new ones if one cannot be created. */
    private List<ConfiguredServer> successors(BridgeConfiguration configuration, String defaultPolicy) {
        var now = new ArrayList<ConfiguredServer>();
        var problems = new ArrayList<String>();
        for (var settings : configuration.servers()) {
            try {
                now.add(successor(settings, defaultPolicy));
            } catch (BridgeException wrong) {
                problems.add("server '%s': %s"
                        .formatted(settings.name(), wrong.failure().message()));
            }
        }
        if (!problems.isEmpty()) {
            now.stream().filter(server -> !current.contains(server)).forEach(ConfiguredServer::close);
            throw ConfigurationException.ofAll(problems);
        }
        return now;
    }

    private ConfiguredServer successor(ServerSettings settings, String defaultPolicy) {
        return current.stream()
                .filter(server -> !server.isLeftOut() && server.isBuiltFrom(settings, defaultPolicy))
                .findFirst()
                .or(() -> leftOut(settings).map(server -> make(settings, defaultPolicy, why -> server)))
                .orElseGet(() -> make(settings, defaultPolicy));
    }

    /** Whether a server with the same section is left out. */
    public boolean isLeftOut(ServerSettings settings) {
        return leftOut(settings).isPresent();
    }

    private Optional<ConfiguredServer> leftOut(ServerSettings settings) {
        return current.stream()
                .filter(server -> server.isLeftOut() && server.settings().saysTheSameAs(settings))
                .findFirst();
    }

    /** Closes a removed server once it has no calls, or at the deadline. */
    private void drain(ConfiguredServer server, Deadline deadline) {
        environment.timekeeper().schedule(DRAIN_POLL_INTERVAL, () -> {
            if (server.callsUnderWay() > 0 && !deadline.isExpired()) {
                drain(server, deadline);
                return;
            }
            environment.workers().execute(() -> {
                server.close();
                draining.remove(server);
                clearLists(server);
            });
        });
    }

    /** Closes all servers and the removed ones in parallel; waits at most {@code timeout}. */
    public void close(Duration timeout) {
        var all = new ArrayList<>(current);
        all.addAll(draining);
        var open = new CountDownLatch(all.size());
        for (var server : all) {
            // Not on workers: they may all be blocked by unresponsive servers.
            var thread = new Thread(
                    () -> {
                        try {
                            server.close();
                        } finally {
                            open.countDown();
                        }
                    },
                    "mcp-bridge-close-" + server.name());
            thread.setDaemon(true);
            thread.start();
        }
        try {
            var unusedInTime = open.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** Creates a server; if that fails, logs why, and returns the one that stands in for it. */
    private ConfiguredServer make(
            ServerSettings settings, String defaultPolicy, Function<String, ConfiguredServer> otherwise) {
        try {
            return make(settings, defaultPolicy);
        } catch (RuntimeException | LinkageError wrong) {
            // A defect of one plug-in must not affect the other servers.
            var why = wrong instanceof BridgeException known
                    ? known.failure().message()
                    : "its transport failed: " + wrong;
            environment
                    .logger()
                    .log(Level.ERROR, "[mcp-bridge] server '%s' is left out: %s".formatted(settings.name(), why));
            return otherwise.apply(why);
        }
    }

    private ConfiguredServer make(ServerSettings settings, String defaultPolicy) {
        return settings.enabled()
                ? ConfiguredServer.open(servers, settings, defaultPolicy)
                : without(settings, defaultPolicy, "disabled", "");
    }

    private ConfiguredServer without(ServerSettings settings, String defaultPolicy, String state, String why) {
        var now = environment.timekeeper().now();
        return ConfiguredServer.without(settings, defaultPolicy, ManagedServerStatus.absent(settings, state, why, now));
    }

    private void exchange(List<ConfiguredServer> made, BridgeConfiguration configuration) {
        names = configuration.bridge().names();
        visibility = configuration.bridge().visibility();
        current = List.copyOf(made);
        router.replace(RoutingTable.of(routes(made), names, absent(made), visibility));
        router.endHiddenSubscriptions();
    }

    /** The error texts for clients by server; details are for operators only. */
    private static Map<String, String> absent(List<ConfiguredServer> made) {
        return made.stream()
                .filter(server -> server.route().isEmpty())
                .collect(Collectors.toMap(
                        ConfiguredServer::name,
                        server -> server.settings().enabled()
                                ? "server '%s' is left out, since its settings are wrong".formatted(server.name())
                                : "server '%s' is disabled".formatted(server.name())));
    }

    private void connectEagerServers(List<ConfiguredServer> made) {
        var eager = made.stream()
                .filter(server ->
                        server.settings().startsEagerly() && server.settings().shared())
                .toList();
        new EagerConnector(environment).begin(routes(eager));
    }

    /** Removes the stored lists of a removed server, unless a server of the same name exists. */
    private void clearLists(ConfiguredServer removed) {
        if (current.stream().noneMatch(server -> server.name().equals(removed.name()))) {
            removed.route().ifPresent(route -> route.lists().clear());
        }
    }

    /**
     * The suspended calls at one moment.
     *
     * @param suspended how many wait for answers of their clients
     * @param oldest when the oldest suspension began; empty if there is none
     * @param lapsed how many clients did not come back, since the start
     */
    public record SuspendedCallStatus(int suspended, Optional<Instant> oldest, long lapsed) {}

    /**
     * One section of {@code mcpServers} with its route, or the reason why it has none.
     *
     * @param defaultPolicy the retry policy if the section names none
     * @param absent the status without a route
     */
    private record ConfiguredServer(
            ServerSettings settings, String defaultPolicy, Optional<ServerRoute> route, ManagedServerStatus absent) {

        /**
         * Creates a server that is not yet connected.
         *
         * @throws io.mcpbridge.failure.ConfigurationException if its settings are wrong
         */
        static ConfiguredServer open(RouteFactory servers, ServerSettings settings, String defaultPolicy) {
            var route = servers.open(settings, Reconnecting.ON_DEMAND, defaultPolicy);
            var absent = ManagedServerStatus.absent(settings, "idle", "", Instant.EPOCH);
            return new ConfiguredServer(settings, defaultPolicy, Optional.of(route), absent);
        }

        /** A server without a route. */
        static ConfiguredServer without(ServerSettings settings, String defaultPolicy, ManagedServerStatus absent) {
            return new ConfiguredServer(settings, defaultPolicy, Optional.empty(), absent);
        }

        String name() {
            return settings.name();
        }

        /** Whether the server is enabled but cannot be created. */
        boolean isLeftOut() {
            return route.isEmpty() && settings.enabled();
        }

        int callsUnderWay() {
            return route.map(there -> there.callsUnderWay().getAsInt()).orElse(0);
        }

        /** Whether creating the server from this section would change nothing. */
        boolean isBuiltFrom(ServerSettings other, String otherPolicy) {
            return defaultPolicy.equals(otherPolicy) && settings.saysTheSameAs(other);
        }

        ManagedServerStatus status() {
            return route.map(there -> ManagedServerStatus.of(
                            there.upstream().status(),
                            there.sandbox(),
                            there.readings().get()))
                    .orElse(absent);
        }

        /** Ends the sessions of the server and waits until their transports are closed. */
        void close() {
            route.ifPresent(there -> there.upstream().close());
        }
    }
}
