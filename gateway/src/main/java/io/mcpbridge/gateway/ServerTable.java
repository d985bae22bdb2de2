package io.mcpbridge.gateway;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ClientTools;
import io.mcpbridge.config.SearchTools;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.routing.Route;
import io.mcpbridge.routing.Router;
import io.mcpbridge.routing.Routes;
import io.mcpbridge.routing.ServerReadings;
import io.mcpbridge.routing.Servers;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Reading;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/** The servers behind the daemon, exchanged as a whole when the configuration is read again. Any thread. */
final class ServerTable {
    private final Servers servers;
    private final Router router;
    private final Environment environment;
    private final Retirement retirement;
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock")
    private ToolNaming names = ToolNaming.PREFIX;

    @GuardedBy("lock")
    private ClientTools clientTools = ClientTools.ALL;

    @GuardedBy("lock")
    private SearchTools searchTools = SearchTools.NOBODY;

    private volatile List<ManagedServer> current = List.of();

    ServerTable(Servers servers, Router router, Environment environment) {
        this.servers = servers;
        this.router = router;
        this.environment = environment;
        this.retirement = new Retirement(environment);
    }

    List<ServerRecord> records() {
        return current.stream().map(ManagedServer::record).toList();
    }

    /** What there is to see of the servers that can be called, by their names. */
    Map<String, List<Reading>> readings() {
        return ServerReadings.of(current.stream()
                .map(ManagedServer::route)
                .flatMap(Optional::stream)
                .toList());
    }

    /** Makes every server that can be made; the others are logged and show in their status. */
    void open(BridgeConfiguration configuration, String defaultPolicy) {
        var made = new ArrayList<ManagedServer>();
        for (var settings : configuration.servers()) {
            try {
                made.add(make(settings, defaultPolicy));
            } catch (RuntimeException wrong) {
                // Not even a defect of one plug-in may keep the other servers from being served.
                made.add(broken(settings, defaultPolicy, why(wrong)));
            }
        }
        servers.shownAs(configuration.bridge().names());
        exchange(made, configuration);
        begin(made);
    }

    /**
     * Makes what is new or says something else, keeps what is unchanged, and closes the rest once its calls have
     * ended. What was left out before is tried again.
     *
     * @return whether what clients see listed may have changed
     * @throws ConfigurationException with every mistake; nothing has changed then
     */
    boolean replace(BridgeConfiguration configuration, String defaultPolicy) {
        var before = current;
        var fresh = new ArrayList<ManagedServer>();
        var now = new ArrayList<ManagedServer>();
        var problems = new ArrayList<String>();
        for (var settings : configuration.servers()) {
            var kept = before.stream()
                    .filter(server -> !server.isLeftOut() && server.isMadeFrom(settings, defaultPolicy))
                    .findFirst();
            if (kept.isPresent()) {
                now.add(kept.get());
                servers.checkKeys(settings);
                continue;
            }
            try {
                var made = leftOut(settings)
                        .map(server -> retried(server, settings, defaultPolicy))
                        .orElseGet(() -> make(settings, defaultPolicy));
                if (!before.contains(made)) {
                    fresh.add(made);
                }
                now.add(made);
            } catch (BridgeException wrong) {
                problems.add("server '%s': %s"
                        .formatted(settings.name(), wrong.failure().message()));
            }
        }
        if (!problems.isEmpty()) {
            fresh.forEach(ManagedServer::close);
            throw ConfigurationException.ofAll(problems);
        }
        var gone = before.stream().filter(server -> !now.contains(server)).toList();
        servers.shownAs(configuration.bridge().names());
        var stayed = now.stream().filter(before::contains).toList();
        var isRenamed = names() != configuration.bridge().names();
        var isChanged = exchange(now, configuration) || !fresh.isEmpty() || !gone.isEmpty();
        gone.forEach(server -> retirement.begin(server, configuration.bridge().drainTimeout(), () -> forget(server)));
        if (isRenamed) {
            listAgain(stayed);
        }
        begin(fresh);
        return isChanged;
    }

    private ToolNaming names() {
        lock.lock();
        try {
            return names;
        } finally {
            lock.unlock();
        }
    }

    /** Under other names other tools may keep the rule for them. */
    private static void listAgain(List<ManagedServer> stayed) {
        stayed.stream()
                .map(ManagedServer::route)
                .flatMap(Optional::stream)
                .forEach(route -> route.tools().listAgain());
    }

    /** Whether a server is left out that says the same. */
    boolean leavesOut(ServerSettings settings) {
        return leftOut(settings).isPresent();
    }

    private Optional<ManagedServer> leftOut(ServerSettings settings) {
        return current.stream()
                .filter(server -> server.isLeftOut() && server.settings().saysTheSameAs(settings))
                .findFirst();
    }

    /** Makes what was left out, or stays with that where it still cannot be made. */
    private ManagedServer retried(ManagedServer leftOut, ServerSettings settings, String defaultPolicy) {
        try {
            return make(settings, defaultPolicy);
        } catch (RuntimeException wrong) {
            logLeftOut(settings, why(wrong));
            return leftOut;
        }
    }

    /** Ends every server, all at once, waiting {@code patience} at the longest. */
    void close(Duration patience) {
        retirement.close(current, patience);
    }

    private ManagedServer make(ServerSettings settings, String defaultPolicy) {
        if (!settings.enabled()) {
            return ManagedServer.disabled(
                    settings, defaultPolicy, environment.timekeeper().now());
        }
        return ManagedServer.open(servers, settings, defaultPolicy);
    }

    private static String why(RuntimeException wrong) {
        return wrong instanceof BridgeException told ? told.failure().message() : "its transport failed: " + wrong;
    }

    private void logLeftOut(ServerSettings settings, String why) {
        environment
                .logger()
                .log(Level.ERROR, "[mcp-bridge] server '%s' is left out: %s".formatted(settings.name(), why));
    }

    private ManagedServer broken(ServerSettings settings, String defaultPolicy, String why) {
        logLeftOut(settings, why);
        return ManagedServer.broken(
                settings, defaultPolicy, why, environment.timekeeper().now());
    }

    /** Puts the new table in place; true if tools are shown otherwise than before. */
    private boolean exchange(List<ManagedServer> made, BridgeConfiguration configuration) {
        var wanted = configuration.bridge().names();
        var routes = made.stream()
                .map(ManagedServer::route)
                .flatMap(Optional::stream)
                .toList();
        lock.lock();
        try {
            var allowed = configuration.bridge().clientTools();
            var searching = configuration.bridge().searchTools();
            var isShownOtherwise = names != wanted || !clientTools.equals(allowed) || !searchTools.equals(searching);
            names = wanted;
            clientTools = allowed;
            searchTools = searching;
            current = List.copyOf(made);
            router.replace(Routes.of(routes, wanted)
                    .withAbsent(absent(made))
                    .withClientTools(allowed)
                    .withSearchTools(searching));
            return isShownOtherwise;
        } finally {
            lock.unlock();
        }
    }

    /** What clients are told of servers that cannot be called; the details are for operators. */
    private static Map<String, String> absent(List<ManagedServer> made) {
        return made.stream()
                .filter(server -> server.route().isEmpty())
                .collect(Collectors.toMap(
                        ManagedServer::name,
                        server -> server.settings().enabled()
                                ? "server '%s' is left out, since its settings are wrong".formatted(server.name())
                                : "server '%s' is disabled".formatted(server.name())));
    }

    private void begin(List<ManagedServer> made) {
        List<Route> eager = made.stream()
                .filter(server ->
                        server.settings().startsEagerly() && server.settings().shared())
                .map(ManagedServer::route)
                .flatMap(Optional::stream)
                .toList();
        new EagerStart(environment).begin(eager);
    }

    /** Forgets the tools of a server that is gone, unless one of the same name has come. */
    private void forget(ManagedServer gone) {
        if (current.stream().noneMatch(server -> server.name().equals(gone.name()))) {
            gone.route().ifPresent(route -> route.lists().forget());
        }
    }
}
