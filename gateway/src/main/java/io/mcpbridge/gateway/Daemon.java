package io.mcpbridge.gateway;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.engine.BridgeVersion;
import io.mcpbridge.engine.ClientStatus;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.spi.Settings;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The running daemon: listeners for clients, connections to servers, and their lifecycle. {@link DaemonParts} wires
 * the parts.
 *
 * <p>The caller of {@link #start} ends it, by {@link #drain} or {@link #close}. Thread-safe. It installs no signal
 * handler and prints nothing; {@link DaemonSignals} connects it to signals.
 */
public final class Daemon implements AutoCloseable {
    /** The time for servers to end after a drain. */
    private static final Duration SERVER_GRACE_DRAINING = Duration.ofSeconds(15);

    /** The time for servers to end after {@link #close}. */
    private static final Duration SERVER_GRACE_CLOSING = Duration.ofSeconds(3);

    private final Plugins plugins;
    private final DaemonOptions options;
    private final DaemonParts parts;
    private final Instant since;
    private final ReentrantLock reloading = new ReentrantLock();
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile boolean hasStarted;
    private volatile BridgeConfiguration configuration;
    private volatile Duration callTimeout;
    private volatile ReloadStatus lastReload = ReloadStatus.APPLIED;

    private Daemon(BridgeConfiguration configuration, DaemonOptions options, Plugins plugins) {
        this.plugins = plugins;
        this.configuration = configuration;
        this.options = options;
        this.callTimeout = configuration.bridge().callTimeout(configuration.servers());
        this.parts = new DaemonParts(configuration, options, plugins, () -> callTimeout);
        parts.environment.secrets().learn(configuration.secrets());
        this.since = parts.environment.timekeeper().now();
    }

    /**
     * Starts a daemon. A server with wrong settings is logged, appears in {@link #servers} and is left out. The first
     * call connects a server; eager servers are connected in the background.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the {@code bridge} object has a mistake
     * @throws io.mcpbridge.failure.TransportException if a listener cannot be bound; nothing stays open then
     */
    public static Daemon start(BridgeConfiguration configuration, DaemonOptions options) {
        var plugins = Plugins.found();
        ConfigurationCheck.requireStart(configuration, options, plugins);
        var daemon = new Daemon(configuration, options, plugins);
        try {
            daemon.open();
            return daemon;
        } catch (RuntimeException | Error failed) {
            daemon.close();
            throw failed;
        }
    }

    private void open() {
        // The client on standard input may close at once. The shutdown takes this lock too, so nothing opens
        // afterwards.
        reloading.lock();
        try {
            openAll();
        } finally {
            reloading.unlock();
        }
    }

    private void openAll() {
        parts.servers.open(configuration, retryPolicy());
        parts.listeners.bind(options.listeners(configuration.bridge().listeners()));
        var admin = AdminAcceptor.path(addresses());
        admin.ifPresent(path -> parts.admin.bind(Map.of("unix", Settings.of(Map.of("path", path.toString())))));
        // Programs start while classes load for the clients; but none if an address cannot be bound.
        parts.servers.connectEager();
        parts.listeners.start(
                name -> name.equals("stdio") ? parts.clients.onClosed(this::drainInBackground) : parts.clients);
        admin.ifPresent(path -> parts.admin.start(name -> new AdminAcceptor(this, parts.clients, path)));
        warn(configuration.warnings());
        warn(unsharedEagerServers(configuration));
        hasStarted = true;
    }

    /** The addresses for clients, in the order of the configuration. */
    public List<URI> addresses() {
        return parts.listeners.addresses();
    }

    /** The events of servers and tools. */
    public EventBus events() {
        return parts.events;
    }

    public BridgeHealth health() {
        var conditions = servers().stream()
                .filter(server -> !server.state().equals("disabled"))
                .map(ManagedServerHealth::of)
                .toList();
        var unhealthy = (int)
                conditions.stream().filter(ManagedServerHealth::isUnhealthy).count();
        var suspended = parts.servers.suspendedCalls();
        var audit = parts.auditHealth();
        return new BridgeHealth(
                BridgeHealth.status(conditions.size(), unhealthy, audit),
                phase(),
                BridgeVersion.CURRENT,
                ProcessHandle.current().pid(),
                since,
                conditions.size(),
                unhealthy,
                clients().size(),
                parts.gate.callsInFlight(),
                suspended.suspended(),
                suspended.oldest(),
                suspended.lapsed(),
                addresses().stream().map(URI::toString).toList(),
                BridgeHealth.lastErrors(conditions),
                audit,
                DefaultSandboxLevel.of(parts.environment.launcher()),
                lastReload,
                conditions);
    }

    /** Whether the daemon drains or has ended, and so rejects new calls. */
    boolean isEnding() {
        return parts.gate.isDraining();
    }

    private String phase() {
        if (isEnding.get()) {
            return "ended";
        }
        return parts.gate.isDraining() ? "draining" : "serving";
    }

    /** All servers in the order of the configuration, including those left out. */
    public List<ManagedServerStatus> servers() {
        return parts.servers.statuses();
    }

    /** The connected clients, the oldest first. */
    public List<ClientStatus> clients() {
        return parts.clients.registry();
    }

    /**
     * Reads a new configuration and applies it. If it is refused, {@link #health} shows the error until the next
     * successful reload.
     *
     * @throws BridgeException if it cannot be read or has mistakes; the old configuration stays in force
     * @throws IllegalStateException if the daemon drains
     */
    public void reload(Supplier<BridgeConfiguration> reading) {
        try {
            reload(reading.get());
        } catch (RuntimeException failed) {
            var error =
                    failed instanceof BridgeException known ? known.failure().message() : failed.toString();
            lastReload =
                    ReloadStatus.refused(error, parts.environment.timekeeper().now());
            throw failed;
        }
    }

    /**
     * Applies a new configuration. Servers with an unchanged section keep their sessions; the others are replaced.
     * Approved tools are read again, and clients receive {@code list_changed} if a list may differ. Listeners and
     * limits stay as they are until the next start; a change of them is logged. A server that is left out and has an
     * unchanged section is tried again. The caller receives the error of a refused configuration; {@link #health} does
     * not show it.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake; the old configuration stays in force
     * @throws IllegalStateException if the daemon drains
     */
    public void reload(BridgeConfiguration newConfiguration) {
        BridgeConfiguration old;
        var reload = new ConfigurationReload(parts, options, plugins);
        reloading.lock();
        try {
            if (parts.gate.isDraining()) {
                throw new IllegalStateException("the daemon drains and takes no new configuration");
            }
            old = configuration;
            var listsMayDiffer = reload.apply(old, newConfiguration);
            callTimeout = newConfiguration.bridge().callTimeout(newConfiguration.servers());
            configuration = newConfiguration;
            lastReload = ReloadStatus.APPLIED;
            if (listsMayDiffer) {
                parts.servers.notifyAllLists();
            }
        } finally {
            reloading.unlock();
        }
        reload.log(old, newConfiguration);
    }

    /**
     * Ends gracefully: accepts nothing new, waits up to {@code drain-timeout} for the calls in flight, answers the rest
     * with {@code SHUTTING_DOWN}, ends the servers and removes the sockets.
     */
    public void drain() throws InterruptedException {
        startDraining();
        var gate = parts.gate;
        var timeout = configuration.bridge().drainTimeout();
        log(Level.INFO, "draining: %d call(s) have %d ms to end".formatted(gate.callsInFlight(), timeout.toMillis()));
        if (!gate.awaitIdle(timeout)) {
            log(Level.WARNING, "%d call(s) did not end in time".formatted(gate.callsInFlight()));
        }
        end(SERVER_GRACE_DRAINING);
    }

    /**
     * Ends at once: answers calls in flight with {@code SHUTTING_DOWN}. Shortens a {@link #drain} that is under way.
     * Closing twice is harmless.
     */
    @Override
    public void close() {
        startDraining();
        parts.gate.stopWaiting();
        if (isEnding.get()) {
            parts.endChildren();
        }
        end(SERVER_GRACE_CLOSING);
    }

    /** Drains on a separate thread, because the drain also ends the calling thread. */
    private void drainInBackground() {
        if (!isEnding()) {
            log(Level.INFO, "the client on standard input has disconnected");
            new Thread(this::drainOrClose, "mcp-bridge-end").start();
        }
    }

    /** Drains; closes at once if the calling thread is interrupted. */
    void drainOrClose() {
        try {
            drain();
        } catch (InterruptedException hurried) {
            close();
        }
    }

    /** Waits until the daemon has ended. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Rejects new clients and calls. Waits for a reload under way, so that its servers are closed too. */
    private void startDraining() {
        reloading.lock();
        try {
            parts.gate.startDraining();
        } finally {
            reloading.unlock();
        }
        parts.listeners.stopAccepting();
    }

    private void end(Duration serverGrace) {
        if (!isEnding.compareAndSet(false, true)) {
            return;
        }
        try {
            parts.clients.close(CancelReason.SHUTTING_DOWN);
            parts.servers.close(serverGrace);
            if (hasStarted) {
                log(Level.INFO, "ended");
            }
        } finally {
            parts.close();
            ended.countDown();
        }
    }

    private String retryPolicy() {
        return PlugInChoice.of(configuration.bridge().plugIns(), options, plugins)
                .retryPolicy();
    }

    private static List<String> unsharedEagerServers(BridgeConfiguration configuration) {
        return configuration.servers().stream()
                .filter(server -> server.startsEagerly() && !server.shared())
                .map(server -> "server '%s' starts with its first call, since each user has sessions of their own"
                        .formatted(server.name()))
                .toList();
    }

    private void warn(List<String> warnings) {
        warnings.forEach(warning -> log(Level.WARNING, warning));
    }

    private void log(Level level, String text) {
        parts.environment.logger().log(level, "[mcp-bridge] " + text);
    }
}
