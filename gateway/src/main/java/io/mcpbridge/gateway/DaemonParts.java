package io.mcpbridge.gateway;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Handler;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.Observers;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.engine.RouteFactory;
import io.mcpbridge.engine.pipeline.DeadlineStage;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.ResolveStage;
import io.mcpbridge.engine.routing.Router;
import io.mcpbridge.engine.routing.Routes;
import io.mcpbridge.engine.routing.ToolSearchStages;
import io.mcpbridge.engine.session.Clients;
import io.mcpbridge.engine.session.DownstreamParts;
import io.mcpbridge.engine.session.DownstreamParts.ClientEvents;
import io.mcpbridge.engine.session.DownstreamParts.ClientLimits;
import io.mcpbridge.engine.session.ServerCard;
import io.mcpbridge.engine.translation.SuspendedCalls;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Notification;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.process.SandboxChoice;
import io.mcpbridge.spi.CallObserver.CallStart;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.CallStage.Place;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.ToolCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Wires the parts of a daemon. Read from the bottom to the top, it is the path of a call. {@link Daemon} opens the
 * listeners and servers.
 */
final class DaemonParts implements AutoCloseable {
    /** The environment of the daemon itself; null if the embedding program has given one. */
    private final @Nullable StandardEnvironment own;

    final Environment environment;
    final EventBus events;
    final ToolCatalog catalog;
    final DaemonAudit audit;
    private final Observers observers;
    final DrainStage gate;
    final Clients clients;
    final ListChangeNotifier announcer;
    final SuspendedCalls suspendedCalls;
    final ServerTable servers;
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
        own = ownEnvironment(options, choice.sandbox());
        var given = own == null ? options.environment().orElseThrow() : own.environment();
        environment = given.withLimits(configuration.bridge().limits().apply(given.limits()));
        events = new EventBus(environment.logger());
        catalog = ConfiguredCatalog.of(configuration).make(environment);
        var router =
                new Router(Routes.of(List.of(), ToolNaming.PREFIX), environment.timekeeper(), environment.logger());
        var repeats = Repeats.of(configuration, plugins, environment);
        var telemetry = options.telemetry(configuration.bridge().plugIns().telemetry());
        observers = Observers.of(telemetry, options.observers(), environment);
        audit = openAudit(choice.audit(), router);
        catalog.onFindings(new ToolFindingReporter(events, audit::note, environment));
        gate = new DrainStage(audit::denied);
        clients = new Clients(
                new DownstreamParts(
                        stages(repeats.stage(), router),
                        environment,
                        repeats.card(),
                        callTimeout,
                        clientLimits(configuration),
                        router::toolSchema,
                        new ClientEventForwarder(router, audit)),
                audit::note);
        announcer = new ListChangeNotifier(clients, environment.timekeeper());
        var routes = new RouteFactory(environment, plugins, events, catalog, BridgeIdentity.OURS, announcer);
        routes.useObservers(observers.list());
        clients.onSessionEnded(observers.list()::ended);
        routes.suspendedCalls().limit(configuration.bridge().suspendedCalls());
        suspendedCalls = routes.suspendedCalls();
        servers = new ServerTable(routes, router, environment);
        observers.watch(() -> readings(repeats.stage()));
        listeners = new Listeners(listenerProviders, environment);
        admin = new Listeners(listenerProviders, environment);
    }

    /** Returns the environment to open; null if the embedding program has given one, which must have the sandbox. */
    private static @Nullable StandardEnvironment ownEnvironment(DaemonOptions options, SandboxChoice sandbox) {
        var given = options.environment();
        if (given.isEmpty()) {
            return StandardEnvironment.open(sandbox.open(PlainProcessLauncher.apart()));
        }
        sandbox.require(given.get().launcher());
        return null;
    }

    /** Opened last among the parts that can fail, so that a failure leaves no locked trail. */
    private DaemonAudit openAudit(AuditSinkChoice choice, Router router) {
        try {
            return DaemonAudit.open(choice, router::named, environment);
        } catch (RuntimeException | Error failed) {
            observers.close();
            catalog.close();
            closeEnvironment();
            throw failed;
        }
    }

    private static ClientLimits clientLimits(BridgeConfiguration configuration) {
        var limits = configuration.bridge().limits();
        return new ClientLimits(
                limits.inFlight(),
                limits.connections(),
                limits.subscriptions(),
                ClientLimits.DEFAULTS.sessionIdle(),
                configuration.bridge().keepAlive());
    }

    /** The values by server; those of the bridge itself under the empty name. */
    private Map<String, List<GaugeReading>> readings(Optional<CallStage> repeats) {
        var own = new ArrayList<GaugeReading>();
        repeats.ifPresent(stage -> own.addAll(stage.readings()));
        own.addAll(audit.readings());
        var all = new LinkedHashMap<>(servers.readings());
        all.put("", List.copyOf(own));
        return all;
    }

    /** The stages of every call before it reaches its server, in the order of {@link Position}. */
    private Handler stages(Optional<CallStage> repeats, Router router) {
        var unresolved = audit.stage().map(ResolveStage.Unresolved.class::cast).orElse(ResolveStage.Unresolved.NONE);
        var search = new ToolSearchStages(router, audit::denied);
        return new Pipeline()
                .add(Position.CALLED_TOOL, search::unwrap)
                .add(Position.DRAIN, gate)
                .add(Position.TOOL_SEARCH, search::search)
                .add(Position.OBSERVERS, observers.list().stage(CallStart.Origin.CLIENT, router::lists))
                .add(Position.RESOLVE, new ResolveStage(router, unresolved))
                .add(Position.AUDIT, audit.stage())
                .add(Position.OVERALL_DEADLINE, new DeadlineStage())
                .add(Position.RUN_ONCE, repeats)
                .handler(Pipeline.TO_DESTINATION, environment.logger());
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

    /**
     * The stage that runs repeated calls once, if it is configured, and the name of the instance for which a client may
     * repeat a call.
     */
    private record Repeats(String instance, Optional<CallStage> stage) {

        static Repeats of(BridgeConfiguration configuration, Plugins plugins, Environment environment) {
            var random = environment.random();
            var instance = new UUID(random.nextLong(), random.nextLong()).toString();
            var stages = plugins.daemonStages(configuration.bridge().plugIns().stages(), instance, environment);
            return new Repeats(instance, Optional.ofNullable(stages.get(Place.RUN_ONCE)));
        }

        ServerCard card() {
            var version = BridgeIdentity.OURS.version();
            return new ServerCard("mcp-bridge-server", version, "", stage.isPresent() ? instance : "");
        }
    }

    /**
     * Forwards events of clients outside of their calls: notifications to the servers, and rejected requests to the
     * audit.
     */
    private record ClientEventForwarder(Router router, DaemonAudit audit) implements ClientEvents {

        @Override
        public void notified(Caller caller, Notification notification) {
            router.forward(caller, notification);
        }

        @Override
        public void rejected(Call call, Failure why) {
            audit.denied(call, why);
        }
    }
}
