package io.mcpbridge.gateway;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.AuditSinkChoice;
import io.mcpbridge.engine.CallAudit;
import io.mcpbridge.engine.ClientSide;
import io.mcpbridge.engine.ClientSide.BridgeStages;
import io.mcpbridge.engine.ConfiguredCatalog;
import io.mcpbridge.engine.Observers;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.engine.SandboxChoice;
import io.mcpbridge.engine.ServerRegistry;
import io.mcpbridge.engine.ToolFindingReporter;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.ToolCatalog;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Wires the parts of a daemon. {@link ClientSide} has the path of a call. {@link Daemon} opens the listeners and servers.
 */
final class DaemonParts implements AutoCloseable {
    /** The environment of the daemon itself; null if the embedding program has given one. */
    private final @Nullable StandardEnvironment own;

    final Environment environment;
    final EventBus events;
    final ToolCatalog catalog;
    final CallAudit audit;
    private final AuditSinkChoice auditChoice;
    private final Observers observers;
    final DrainStage gate;
    final ClientSide clients;
    final ServerRegistry servers;
    final Listeners listeners;
    final Listeners admin;

    /**
     * Wires the parts.
     *
     * @param callTimeout the current overall time-out of a call
     */
    DaemonParts(
            BridgeConfiguration configuration, DaemonOptions options, Plugins plugins, Supplier<Duration> callTimeout) {
        var choice = PlugInChoice.of(configuration.bridge().plugIns(), options, plugins);
        var listenerProviders = Providers.of(ListenerProvider.class);
        own = ownEnvironment(configuration, options, choice.sandbox());
        var given = own == null ? options.environment().orElseThrow() : own.environment();
        environment = given.withLimits(configuration.bridge().limits().apply(given.limits()));
        events = new EventBus(environment.logger());
        catalog = ConfiguredCatalog.of(configuration).make(environment);
        servers = new ServerRegistry(environment, plugins, events, catalog);
        options.listFolder().ifPresent(servers::keepLists);
        var instance = randomName(environment);
        var runOnce = Optional.ofNullable(
                plugins.daemonStages(configuration.bridge().plugIns().stages(), instance, environment)
                        .get(Place.RUN_ONCE));
        var telemetry = options.telemetry(configuration.bridge().plugIns().telemetry());
        observers = Observers.of(telemetry, options.observers(), environment);
        auditChoice = choice.audit();
        audit = openAudit();
        catalog.onFindings(new ToolFindingReporter(events, audit::note, environment));
        gate = new DrainStage(audit::denied);
        clients = ClientSide.ofServers(
                servers,
                new BridgeStages(gate, observers, audit, runOnce, instance),
                configuration.bridge(),
                callTimeout);
        observers.watch(() -> readings(runOnce));
        listeners = new Listeners(listenerProviders, environment);
        admin = new Listeners(listenerProviders, environment);
    }

    /** Returns the environment to open; null if the embedding program has given one, which must have the sandbox. */
    private static @Nullable StandardEnvironment ownEnvironment(
            BridgeConfiguration configuration, DaemonOptions options, SandboxChoice sandbox) {
        var given = options.environment();
        if (given.isEmpty()) {
            return StandardEnvironment.open(SandboxChoice.of(PrivatePaths.hiddenBySandbox(configuration, options))
                    .open(PlainProcessLauncher.apart()));
        }
        sandbox.require(given.get().launcher());
        return null;
    }

    /** Opened last among the parts that can fail, so that a failure leaves no locked trail. */
    private CallAudit openAudit() {
        try {
            return new CallAudit(auditChoice.requirement(), auditChoice.open(environment), servers::named, environment);
        } catch (RuntimeException | Error failed) {
            observers.close();
            catalog.close();
            closeEnvironment();
            throw failed;
        }
    }

    private static String randomName(Environment environment) {
        var random = environment.random();
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    AuditHealth auditHealth() {
        return AuditHealth.of(auditChoice, audit);
    }

    /** The values by server; those of the bridge itself under the empty name. */
    private Map<String, List<GaugeReading>> readings(Optional<CallStage> runOnce) {
        var own = new ArrayList<GaugeReading>();
        runOnce.ifPresent(stage -> own.addAll(stage.readings()));
        own.addAll(audit.readings());
        var all = new LinkedHashMap<>(servers.readings());
        all.put("", List.copyOf(own));
        return all;
    }

    /** Kills all children at once instead of waiting for their end. */
    void endChildren() {
        if (own != null) {
            own.environment().launcher().close();
        }
    }

    /** Closes the remaining parts after clients and servers have ended. */
    @Override
    public void close() {
        listeners.close();
        admin.close();
        observers.close();
        catalog.close();
        audit.close();
        closeEnvironment();
    }

    private void closeEnvironment() {
        if (own != null) {
            own.close();
        }
    }

    /** The listeners of the daemon. One thread binds and starts them; any thread may stop and close them. */
    static final class Listeners implements AutoCloseable {
        private final Providers<ListenerProvider> providers;
        private final Environment environment;
        private volatile Map<String, Listener> listeners = Map.of();

        Listeners(Providers<ListenerProvider> providers, Environment environment) {
            this.providers = providers;
            this.environment = environment;
        }

        /**
         * Creates all listeners, then binds them: wrong settings of one are reported before another is open.
         *
         * @throws io.mcpbridge.failure.ConfigurationException if a listener is not installed or its settings are wrong
         * @throws io.mcpbridge.failure.TransportException if one cannot be bound; those before it stay open
         */
        void bind(Map<String, Settings> sections) {
            var created = new LinkedHashMap<String, Listener>();
            sections.forEach(
                    (name, settings) -> created.put(name, providers.named(name).create(settings, environment)));
            listeners = Collections.unmodifiableMap(created);
            created.values().forEach(Listener::bind);
        }

        /**
         * Starts the listeners that are bound.
         *
         * @param acceptors the acceptor of a listener, by its name
         */
        void start(Function<String, Acceptor> acceptors) {
            listeners.forEach((name, listener) -> {
                listener.start(acceptors.apply(name));
                environment.logger().log(Level.INFO, "[mcp-bridge] listening at " + listener.address());
            });
        }

        List<URI> addresses() {
            return listeners.values().stream().map(Listener::address).toList();
        }

        void stopAccepting() {
            listeners.values().forEach(Listener::stopAccepting);
        }

        /** Closes every connection, those of the last listener first. */
        @Override
        public void close() {
            var reversed = new ArrayList<>(listeners.values());
            Collections.reverse(reversed);
            reversed.forEach(Listener::close);
        }
    }
}
