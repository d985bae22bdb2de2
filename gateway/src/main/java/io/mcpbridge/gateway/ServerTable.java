package io.mcpbridge.gateway;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolAccess;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.engine.RouteFactory;
import io.mcpbridge.engine.routing.Router;
import io.mcpbridge.engine.routing.Routes;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The table of the servers behind the daemon, which a reload replaces. One thread at a time opens, replaces and closes;
 * any thread reads.
 */
final class ServerTable {
    /**
     * The interval of checks for the last call. It is long enough for a call that the old routes resolved to reach its
     * server.
     */
    private static final Duration DRAIN_POLL_INTERVAL = Duration.ofMillis(100);

    private final RouteFactory servers;
    private final Router router;
    private final Environment environment;
    private final Set<ConfiguredServer> draining = ConcurrentHashMap.newKeySet();
    private volatile ToolNaming names = ToolNaming.PREFIX;
    private volatile ToolAccess visibility = ToolAccess.ALL;
    private volatile List<ConfiguredServer> current = List.of();

    ServerTable(RouteFactory servers, Router router, Environment environment) {
        this.servers = servers;
        this.router = router;
        this.environment = environment;
    }

    List<ManagedServerStatus> statuses() {
        return current.stream().map(ConfiguredServer::status).toList();
    }

    /** The readings of all servers with a route, by server. */
    Map<String, List<GaugeReading>> readings() {
        return ServerRoute.readings(routes(current));
    }

    private static List<ServerRoute> routes(List<ConfiguredServer> servers) {
        return servers.stream()
                .map(ConfiguredServer::route)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Creates every server; logs those with unusable settings, which appear in {@link #statuses}. */
    void open(BridgeConfiguration configuration, String defaultPolicy) {
        var made = new ArrayList<ConfiguredServer>();
        for (var settings : configuration.servers()) {
            made.add(make(settings, defaultPolicy, why -> without(settings, defaultPolicy, "unavailable", why)));
        }
        servers.useNames(configuration.bridge().names());
        exchange(made, configuration);
        connectEagerServers(made);
    }

    /**
     * Creates new and changed servers, keeps unchanged ones, and closes the others after their last call. A server that
     * was left out is tried again.
     *
     * @return whether lists of clients may have changed
     * @throws ConfigurationException with every mistake; then nothing has changed
     */
    boolean replace(BridgeConfiguration configuration, String defaultPolicy) {
        var before = current;
        var now = successors(configuration, defaultPolicy);
        var fresh = now.stream().filter(server -> !before.contains(server)).toList();
        var removed = before.stream().filter(server -> !now.contains(server)).toList();
        servers.useNames(configuration.bridge().names());
        var stayed = now.stream().filter(before::contains).toList();
        var isRenamed = names != configuration.bridge().names();
        var isChanged = exchange(now, configuration) || !fresh.isEmpty() || !removed.isEmpty();
        draining.addAll(removed);
        var deadline = Deadline.after(configuration.bridge().drainTimeout(), environment.timekeeper());
        removed.forEach(server -> drain(server, deadline));
        if (isRenamed) {
            // With other server names, other tools may break the rule for names.
            routes(stayed).forEach(route -> route.tools().reload());
        }
        connectEagerServers(fresh);
        return isChanged;
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
    boolean isLeftOut(ServerSettings settings) {
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
    void close(Duration timeout) {
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
        } catch (RuntimeException wrong) {
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

    /** Installs the new table; true if the names or the visibility of tools changed. */
    private boolean exchange(List<ConfiguredServer> made, BridgeConfiguration configuration) {
        var wanted = configuration.bridge().names();
        var visible = configuration.bridge().visibility();
        var isViewChanged = names != wanted || !visibility.equals(visible);
        names = wanted;
        visibility = visible;
        current = List.copyOf(made);
        router.replace(Routes.of(routes(made), wanted).withAbsent(absent(made)).withVisibility(visible));
        return isViewChanged;
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
}
