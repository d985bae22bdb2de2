package io.mcpbridge.gateway;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.downstream.ClientRecord;
import io.mcpbridge.downstream.Clients;
import io.mcpbridge.downstream.DownstreamParts;
import io.mcpbridge.downstream.ServerCard;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.pipeline.Observed;
import io.mcpbridge.pipeline.OneOutcome;
import io.mcpbridge.pipeline.OverallDeadline;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.routing.ExposedNames;
import io.mcpbridge.routing.Plugins;
import io.mcpbridge.routing.Router;
import io.mcpbridge.routing.Routes;
import io.mcpbridge.routing.Servers;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.spi.ToolCatalogProvider;
import io.mcpbridge.upstream.Identity;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The running daemon: listeners in front, servers behind, and the parts between them put together in one place.
 *
 * <p>Whoever starts it ends it, by {@link #drain} or {@link #close}. Any thread may use it. It installs no signal
 * handler and prints nothing; a command that wants signals asks {@link Signals}.
 */
public final class Daemon implements AutoCloseable {
    /** How long servers may take to end in good order, when the daemon drains and when it is closed at once. */
    private static final Duration PATIENCE_DRAINING = Duration.ofSeconds(15);

    private static final Duration PATIENCE_CLOSING = Duration.ofSeconds(3);

    private final DaemonEnvironment lease;
    private final Environment environment;
    private final Instant since;
    private final EventBus events;
    private final ToolCatalog catalog;
    private final Gate gate = new Gate();
    private final Clients clients;
    private final ToolsAnnouncer announcer;
    private final ServerTable servers;
    private final Listeners listeners;
    private final Listeners admin;
    private final ReentrantLock reloading = new ReentrantLock();
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile BridgeConfiguration configuration;
    private volatile Duration callTimeout;

    /** Puts the parts together; nothing is open yet. */
    private Daemon(BridgeConfiguration configuration, DaemonOptions options, PlugInChoice choice) {
        this.configuration = configuration;
        this.callTimeout = Remarks.callTimeout(configuration);
        this.lease = DaemonEnvironment.of(options.environment());
        this.environment = lease.environment();
        var timekeeper = environment.timekeeper();
        var logger = environment.logger();
        this.since = timekeeper.now();
        this.events = new EventBus(logger);
        this.catalog = Providers.of(ToolCatalogProvider.class)
                .named(choice.catalog())
                .create(Settings.of(Map.of()), environment);
        var router = new Router(Routes.of(List.of(), ExposedNames.PREFIX), timekeeper, logger);
        var card = new ServerCard("mcp-bridge-server", Identity.OURS.version(), "");
        var limits = Remarks.clientLimits(configuration);
        this.clients =
                new Clients(new DownstreamParts(stages(options, router), environment, card, () -> callTimeout, limits));
        this.announcer = new ToolsAnnouncer(clients, timekeeper);
        this.servers = new ServerTable(
                new Servers(environment, Plugins.found(), events, catalog, Identity.OURS, announcer),
                router,
                catalog,
                environment);
        var doors = Providers.of(ListenerProvider.class);
        this.listeners = new Listeners(doors, environment);
        this.admin = new Listeners(doors, environment);
    }

    /** What every call passes before it is routed, the first one outermost. */
    private Handler stages(DaemonOptions options, Handler router) {
        return Pipeline.of(
                List.of(
                        new OneOutcome(environment.logger()),
                        gate,
                        new Observed(options.observers()),
                        new OverallDeadline()),
                router);
    }

    /**
     * Starts a daemon. A server whose settings are wrong is logged, shows in {@link #servers} and is left out;
     * servers are connected by their first call, or in the background where they start eagerly.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the {@code bridge} object asks for what is not there
     * @throws io.mcpbridge.failure.TransportException if a listener cannot be bound; nothing is left open then
     */
    public static Daemon start(BridgeConfiguration configuration, DaemonOptions options) {
        var choice = PlugInChoice.of(configuration.bridge().plugIns());
        var daemon = new Daemon(configuration, options, choice);
        var isOpen = false;
        try {
            daemon.open(options, choice);
            isOpen = true;
            return daemon;
        } finally {
            if (!isOpen) {
                daemon.close();
            }
        }
    }

    private void open(DaemonOptions options, PlugInChoice choice) {
        servers.open(configuration, choice.retryPolicy());
        var sections = options.listeners(configuration.bridge().listeners());
        listeners.start(sections, clients);
        AdminAcceptor.place(options, listeners.addresses())
                .ifPresent(path -> admin.start(
                        Map.of("unix", Settings.of(Map.of("path", path.toString()))), new AdminAcceptor(this, path)));
        warn(configuration.warnings());
        warn(Remarks.atStart(configuration));
    }

    /** Where clients reach it, in the order of the configuration. */
    public List<URI> addresses() {
        return listeners.addresses();
    }

    /** Where the administrative socket is; empty if there is none. */
    public List<URI> adminAddresses() {
        return admin.addresses();
    }

    /** What happens to servers and tools. */
    public EventBus events() {
        return events;
    }

    public BridgeHealth health() {
        return BridgeHealth.of(
                phase(),
                since,
                servers(),
                clients().size(),
                gate.callsInFlight(),
                addresses().stream().map(URI::toString).toList());
    }

    private String phase() {
        if (isEnding.get()) {
            return "ended";
        }
        return gate.isShut() ? "draining" : "serving";
    }

    /** The servers in the order of the configuration, those that were left out too. */
    public List<ServerRecord> servers() {
        return servers.records();
    }

    /** The clients that are connected, the oldest first. */
    public List<ClientRecord> clients() {
        return clients.registry();
    }

    /**
     * Takes another configuration: servers whose section is unchanged keep their sessions, the others are
     * exchanged, and clients are told if their tools may have changed. Listeners and limits stay as they are
     * until the next start, which is logged where the new configuration says otherwise.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake; the old configuration stays then
     * @throws IllegalStateException if the daemon is ending
     */
    public void reload(BridgeConfiguration newConfiguration) {
        reloading.lock();
        try {
            if (gate.isShut()) {
                throw new IllegalStateException("the daemon is ending and takes no other configuration");
            }
            var choice = PlugInChoice.of(newConfiguration.bridge().plugIns());
            var toolsMayDiffer = servers.replace(newConfiguration, choice.retryPolicy());
            warn(Remarks.atReload(configuration, newConfiguration));
            callTimeout = Remarks.callTimeout(newConfiguration);
            configuration = newConfiguration;
            if (toolsMayDiffer) {
                announcer.run();
            }
        } finally {
            reloading.unlock();
        }
        warn(newConfiguration.warnings());
        log(
                Level.INFO,
                "took another configuration with %d server(s)"
                        .formatted(newConfiguration.servers().size()));
    }

    /**
     * Ends in good order: accepts nothing new, waits for the calls in flight as long as the configuration allows,
     * answers the rest with {@code SHUTTING_DOWN}, ends the servers and removes the sockets.
     */
    public void drain() throws InterruptedException {
        reloading.lock();
        try {
            gate.shut();
        } finally {
            reloading.unlock();
        }
        listeners.stopAccepting();
        var patience = configuration.bridge().drainTimeout();
        log(Level.INFO, "draining: %d call(s) have %d ms to end".formatted(gate.callsInFlight(), patience.toMillis()));
        if (!gate.awaitNone(patience)) {
            log(Level.WARNING, "%d call(s) did not end in time".formatted(gate.callsInFlight()));
        }
        end(PATIENCE_DRAINING);
    }

    /**
     * Ends at once: calls in flight are answered with {@code SHUTTING_DOWN}. Hurries a {@link #drain} that is under
     * way. Closing twice is harmless.
     */
    @Override
    public void close() {
        gate.shut();
        gate.giveUp();
        if (isEnding.get()) {
            lease.endChildren();
        }
        end(PATIENCE_CLOSING);
    }

    /** Waits until the daemon has ended. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    private void end(Duration patience) {
        if (!isEnding.compareAndSet(false, true)) {
            return;
        }
        try {
            listeners.stopAccepting();
            clients.close(CancelReason.SHUTTING_DOWN);
            servers.close(patience);
            listeners.close();
            admin.close();
            catalog.close();
            log(Level.INFO, "ended");
            lease.close();
        } finally {
            ended.countDown();
        }
    }

    private void warn(List<String> remarks) {
        remarks.forEach(remark -> log(Level.WARNING, remark));
    }

    private void log(Level level, String text) {
        environment.logger().log(level, "[mcp-bridge] " + text);
    }
}
