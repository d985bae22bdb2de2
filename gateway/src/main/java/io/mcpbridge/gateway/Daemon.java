package io.mcpbridge.gateway;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.downstream.registry.ClientRecord;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.routing.Plugins;
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
 * The running daemon: listeners in front, servers behind, and its life from start to end. {@link DaemonParts} shows
 * how the parts are put together.
 *
 * <p>Whoever starts it ends it, by {@link #drain} or {@link #close}. Any thread may use it. It installs no signal
 * handler and prints nothing; a command that wants signals asks {@link Signals}.
 */
public final class Daemon implements AutoCloseable {
    /** How long servers may take to end in good order when the daemon drains. */
    private static final Duration PATIENCE_DRAINING = Duration.ofSeconds(15);

    /** The same when it is closed at once. */
    private static final Duration PATIENCE_CLOSING = Duration.ofSeconds(3);

    private final Plugins plugins = Plugins.found();
    private final DaemonOptions options;
    private final DaemonParts parts;
    private final Instant since;
    private final ReentrantLock reloading = new ReentrantLock();
    private final AtomicBoolean isEnding = new AtomicBoolean();
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile BridgeConfiguration configuration;
    private volatile Duration callTimeout;
    private volatile ReloadCondition lastReload = ReloadCondition.TAKEN;

    private Daemon(BridgeConfiguration configuration, DaemonOptions options) {
        this.configuration = configuration;
        this.options = options;
        this.callTimeout = Remarks.callTimeout(configuration);
        this.parts = new DaemonParts(configuration, options, plugins, () -> callTimeout);
        parts.environment().secrets().learn(configuration.secrets());
        this.since = parts.environment().timekeeper().now();
    }

    /**
     * Starts a daemon. A server whose settings are wrong is logged, shows in {@link #servers} and is left out;
     * servers are connected by their first call, or in the background where they start eagerly.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the {@code bridge} object asks for what is not there
     * @throws io.mcpbridge.failure.TransportException if a listener cannot be bound; nothing is left open then
     */
    public static Daemon start(BridgeConfiguration configuration, DaemonOptions options) {
        ConfigurationCheck.requireStart(configuration, options, Plugins.found());
        var daemon = new Daemon(configuration, options);
        var isOpen = false;
        try {
            daemon.open();
            isOpen = true;
            return daemon;
        } finally {
            if (!isOpen) {
                daemon.close();
            }
        }
    }

    private void open() {
        // A client on standard input may be gone at once; ending takes the lock too, so that nothing opens behind it.
        reloading.lock();
        try {
            openAll();
        } finally {
            reloading.unlock();
        }
    }

    private void openAll() {
        parts.servers().open(configuration, retryPolicy());
        parts.listeners()
                .start(
                        options.listeners(configuration.bridge().listeners()),
                        name -> name.equals("stdio") ? new OnlyClient(parts.clients(), this) : parts.clients());
        AdminAcceptor.place(options, addresses()).ifPresent(path -> {
            var section = Settings.of(Map.of("path", path.toString()));
            parts.admin().start(Map.of("unix", section), name -> new AdminAcceptor(this, parts.clients(), path));
        });
        warn(configuration.warnings());
        warn(Remarks.atStart(configuration));
    }

    /** Where clients reach it, in the order of the configuration. */
    public List<URI> addresses() {
        return parts.listeners().addresses();
    }

    /** Where the administrative socket is; empty if there is none. */
    public List<URI> adminAddresses() {
        return parts.admin().addresses();
    }

    /** What happens to servers and tools. */
    public EventBus events() {
        return parts.events();
    }

    public BridgeHealth health() {
        return BridgeHealth.of(
                phase(),
                since,
                servers(),
                clients().size(),
                parts.gate().callsInFlight(),
                parts.parked().status(),
                parts.audit().condition(),
                SandboxCondition.of(parts.environment().launcher()),
                lastReload,
                addresses().stream().map(URI::toString).toList());
    }

    /** Whether it takes no more calls. */
    boolean isEnding() {
        return parts.gate().isShut();
    }

    private String phase() {
        if (isEnding.get()) {
            return "ended";
        }
        return parts.gate().isShut() ? "draining" : "serving";
    }

    /** The servers in the order of the configuration, those that were left out too. */
    public List<ServerRecord> servers() {
        return parts.servers().records();
    }

    /** The clients that are connected, the oldest first. */
    public List<ClientRecord> clients() {
        return parts.clients().registry();
    }

    /**
     * Reads another configuration and takes it. Of one that is refused {@link #health} tells until another is taken.
     *
     * @throws BridgeException if it cannot be read or has mistakes; the old configuration stays then
     * @throws IllegalStateException if the daemon is ending
     */
    public void reload(Supplier<BridgeConfiguration> reading) {
        try {
            reload(reading.get());
        } catch (RuntimeException wrong) {
            var why =
                    wrong instanceof BridgeException mistake ? mistake.failure().message() : wrong.toString();
            lastReload = ReloadCondition.refused(
                    why, parts.environment().timekeeper().now());
            throw wrong;
        }
    }

    /**
     * Takes another configuration: servers whose section is unchanged keep their sessions, the others are
     * exchanged, approved tools are read anew, and clients are told if what they list may have changed. Listeners and limits stay as they are
     * until the next start, which is logged where the new configuration says otherwise. A server that is left out and
     * whose section is unchanged is tried again, and stays left out where that fails. Of one that is refused here {@link
     * #health} does not tell: whoever has it has been told.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake; the old configuration stays then
     * @throws IllegalStateException if the daemon is ending
     */
    public void reload(BridgeConfiguration newConfiguration) {
        BridgeConfiguration old;
        var reload = new Reload(parts, options, plugins);
        reloading.lock();
        try {
            if (parts.gate().isShut()) {
                throw new IllegalStateException("the daemon is ending and takes no other configuration");
            }
            old = configuration;
            var listsMayDiffer = reload.take(old, newConfiguration);
            callTimeout = Remarks.callTimeout(newConfiguration);
            configuration = newConfiguration;
            lastReload = ReloadCondition.TAKEN;
            if (listsMayDiffer) {
                parts.announcer().acceptAll();
            }
        } finally {
            reloading.unlock();
        }
        reload.tell(old, newConfiguration);
    }

    /**
     * Ends in good order: accepts nothing new, waits for the calls in flight as long as the configuration allows,
     * answers the rest with {@code SHUTTING_DOWN}, ends the servers and removes the sockets.
     */
    public void drain() throws InterruptedException {
        shut();
        var gate = parts.gate();
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
        shut();
        parts.gate().giveUp();
        if (isEnding.get()) {
            parts.endChildren();
        }
        end(PATIENCE_CLOSING);
    }

    /** Waits until the daemon has ended. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Takes no new clients and no new calls; a reload that is under way comes first, so that its servers are ended. */
    private void shut() {
        reloading.lock();
        try {
            parts.gate().shut();
        } finally {
            reloading.unlock();
        }
        parts.listeners().stopAccepting();
    }

    private void end(Duration patience) {
        if (!isEnding.compareAndSet(false, true)) {
            return;
        }
        try {
            parts.clients().close(CancelReason.SHUTTING_DOWN);
            parts.servers().close(patience);
            log(Level.INFO, "ended");
        } finally {
            parts.close();
            ended.countDown();
        }
    }

    private String retryPolicy() {
        return PlugInChoice.of(configuration.bridge().plugIns(), options, plugins)
                .retryPolicy();
    }

    private void warn(List<String> remarks) {
        remarks.forEach(remark -> log(Level.WARNING, remark));
    }

    private void log(Level level, String text) {
        parts.environment().logger().log(level, "[mcp-bridge] " + text);
    }
}
