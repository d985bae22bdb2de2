package io.mcpbridge.gateway;

import io.mcpbridge.call.CallStart;
import io.mcpbridge.call.Handler;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.downstream.Clients;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.downstream.calls.ServerCard;
import io.mcpbridge.downstream.repeats.RepeatLimits;
import io.mcpbridge.downstream.repeats.RepeatedCalls;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.pipeline.OneOutcome;
import io.mcpbridge.pipeline.OverallDeadline;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.routing.Observers;
import io.mcpbridge.routing.Plugins;
import io.mcpbridge.routing.RequestDigests;
import io.mcpbridge.routing.Router;
import io.mcpbridge.routing.Routes;
import io.mcpbridge.routing.Servers;
import io.mcpbridge.routing.search.CalledTool;
import io.mcpbridge.routing.search.SearchStage;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.ToolCatalog;
import io.mcpbridge.translate.ParkedCalls;
import io.mcpbridge.upstream.introduction.Identity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Where the parts of a daemon are put together; read from the bottom to the top it is the way of a call. Nothing is
 * open before {@link Daemon} opens it.
 */
final class DaemonParts implements AutoCloseable {
    private final DaemonEnvironment lease;
    private final Environment environment;
    private final EventBus events;
    private final ToolCatalog catalog;
    private final DaemonAudit audit;
    private final Observers observers;
    private final Gate gate;
    private final Clients clients;
    private final ListAnnouncer announcer;
    private final ParkedCalls parked;
    private final ServerTable servers;
    private final Listeners listeners;
    private final Listeners admin;

    /**
     * Puts them together.
     *
     * @param callTimeout how long a call that comes now may take in all
     */
    DaemonParts(
            BridgeConfiguration configuration, DaemonOptions options, Plugins plugins, Supplier<Duration> callTimeout) {
        var choice = PlugInChoice.of(configuration.bridge().plugIns(), options, plugins);
        var doors = Providers.of(ListenerProvider.class);
        lease = DaemonEnvironment.of(options.environment(), choice.sandbox());
        var given = lease.environment();
        environment = given.withBounds(configuration.bridge().limits().apply(given.bounds()));
        events = new EventBus(environment.logger());
        catalog = CatalogChoice.of(configuration).make(environment);
        var router =
                new Router(Routes.of(List.of(), ToolNaming.PREFIX), environment.timekeeper(), environment.logger());
        var repeats = new RepeatedCalls(
                RepeatLimits.of(configuration.bridge().repeats()), environment, new RequestDigests()::of);
        var telemetry = options.telemetry(configuration.bridge().plugIns().telemetry());
        observers = Observers.of(telemetry, options.observers(), environment);
        audit = openAudit(choice.audit(), router);
        catalog.onFindings(new QuarantineReport(events, audit::note, environment));
        gate = new Gate(audit::denied);
        clients = new Clients(
                new DownstreamParts(
                        stages(repeats, router),
                        environment,
                        new ServerCard("mcp-bridge-server", Identity.OURS.version(), "", repeats.instance()),
                        callTimeout,
                        Remarks.clientLimits(configuration),
                        router::toolSchema,
                        new ClientTidings(router, audit)),
                audit::note);
        announcer = new ListAnnouncer(clients, environment.timekeeper());
        var routes = new Servers(environment, plugins, events, catalog, Identity.OURS, announcer);
        routes.watchedBy(observers.bystanders());
        clients.onSessionEnded(observers.bystanders()::ended);
        routes.parked().limit(configuration.bridge().parking());
        parked = routes.parked();
        servers = new ServerTable(routes, router, environment);
        observers.watch(() -> readings(repeats));
        listeners = new Listeners(doors, environment);
        admin = new Listeners(doors, environment);
    }

    /** Opens it as the last of what may fail, so that its place is not left taken. */
    private DaemonAudit openAudit(AuditChoice choice, Router router) {
        try {
            return DaemonAudit.open(choice, router, environment);
        } catch (RuntimeException | Error failed) {
            observers.close();
            catalog.close();
            lease.close();
            throw failed;
        }
    }

    /** Those of the bridge itself stand under no server. */
    private Map<String, List<Reading>> readings(RepeatedCalls repeats) {
        var own = new ArrayList<>(repeats.readings());
        own.addAll(audit.readings());
        var all = new LinkedHashMap<>(servers.readings());
        all.put("", List.copyOf(own));
        return all;
    }

    /** What every call passes before it is routed, the first one outermost; see {@code ServerStages} for the rest. */
    private Handler stages(RepeatedCalls repeats, Router router) {
        var order = new ArrayList<CallStage>();
        order.add(new OneOutcome(environment.logger()));
        order.add(new CalledTool(router, audit::denied));
        order.add(gate);
        order.add(new SearchStage(router));
        order.addAll(observers.stage(CallStart.Origin.CLIENT, router::lists));
        order.addAll(audit.stages());
        order.add(new OverallDeadline());
        order.add(repeats);
        return Pipeline.of(order, router);
    }

    Environment environment() {
        return environment;
    }

    EventBus events() {
        return events;
    }

    DaemonAudit audit() {
        return audit;
    }

    Gate gate() {
        return gate;
    }

    Clients clients() {
        return clients;
    }

    ToolCatalog catalog() {
        return catalog;
    }

    ListAnnouncer announcer() {
        return announcer;
    }

    ServerTable servers() {
        return servers;
    }

    Listeners listeners() {
        return listeners;
    }

    Listeners admin() {
        return admin;
    }

    ParkedCalls parked() {
        return parked;
    }

    /** Ends all children at once, so that nobody waits for them to end by themselves. */
    void endChildren() {
        lease.endChildren();
    }

    /** Closes what is left when clients and servers have ended. */
    @Override
    public void close() {
        listeners.close();
        admin.close();
        observers.close();
        catalog.close();
        audit.close();
        lease.close();
    }
}
