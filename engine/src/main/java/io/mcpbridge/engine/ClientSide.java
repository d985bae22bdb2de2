package io.mcpbridge.engine;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.config.BridgeSettings;
import io.mcpbridge.config.BridgeSettings.SuspendedCallSettings;
import io.mcpbridge.engine.pipeline.DeadlineStage;
import io.mcpbridge.engine.pipeline.FailureLogStage;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.ResolveStage;
import io.mcpbridge.engine.routing.Router;
import io.mcpbridge.engine.routing.ToolSearchStage;
import io.mcpbridge.engine.session.Clients;
import io.mcpbridge.engine.session.DownstreamParts;
import io.mcpbridge.engine.session.DownstreamParts.ClientEvents;
import io.mcpbridge.engine.session.DownstreamParts.ClientLimits;
import io.mcpbridge.engine.session.DownstreamParts.KnownServers;
import io.mcpbridge.engine.session.ServerCard;
import io.mcpbridge.engine.session.ServerCard.Introductions;
import io.mcpbridge.engine.translation.SuspendedCalls;
import io.mcpbridge.engine.translation.TranslatedServer;
import io.mcpbridge.engine.translation.Translation;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.VisibleText;
import io.mcpbridge.message.Era;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.CallObserver.CallStart;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The side of a bridge or tool server that clients see: their sessions in both eras, over any listener, and the path of
 * their calls. A listener gets it as its acceptor. Any thread may use it; its creator closes it.
 */
public final class ClientSide implements Acceptor {
    private final Clients clients;
    private volatile boolean isClosed;

    private ClientSide(Clients clients) {
        this.clients = clients;
    }

    /** Serves clients by a handler alone, without any stage. */
    public static ClientSide ofHandler(
            String name, Handler handler, Supplier<Duration> callTimeout, Environment environment) {
        var path = new Pipeline().handler(call -> handler.handle(call, call), environment.logger());
        var card = new ServerCard(name, BridgeVersion.CURRENT, "");
        return new ClientSide(
                new Clients(new DownstreamParts(path, environment, card, callTimeout, ClientLimits.DEFAULTS)));
    }

    /**
     * Serves a program, whose tools send requests to their client like a server of the legacy era.
     *
     * @param notes receives the notes of listeners; must not wait
     */
    public static ClientSide ofProgram(ServedProgram program, Consumer<AuditNote> notes, Environment environment) {
        var handler = program.handler();
        var server = new TranslatedServer(program.name(), () -> Optional.of(Era.LEGACY), handler, environment);
        var suspendedCalls = new SuspendedCalls(SuspendedCallSettings.DEFAULTS, environment);
        var path = new Pipeline()
                .add(Position.OVERALL_DEADLINE, new DeadlineStage())
                .add(Position.TRANSLATION, new Translation(server, suspendedCalls))
                .handler(call -> handler.handle(call, call), environment.logger());
        var parts = new DownstreamParts(
                path,
                environment,
                ServerCard.ofProgram(program.name(), program.version(), program.instructions(), program.features()),
                program.callTimeout(),
                ClientLimits.DEFAULTS,
                (caller, tool) -> program.schemas().apply(tool),
                ClientEvents.NONE);
        return new ClientSide(new Clients(parts, notes));
    }

    /**
     * Serves the tools, resources and prompts of the servers in a table. The observers of {@code stages} observe the
     * servers too.
     *
     * @param settings has the limits of clients
     * @param callTimeout the current total time of a call
     */
    public static ClientSide ofServers(
            ServerRegistry servers, BridgeStages stages, BridgeSettings settings, Supplier<Duration> callTimeout) {
        var side = ofRouter(servers.router(), servers.environment(), stages, settings, callTimeout);
        servers.connect(stages.observers(), side::send);
        return side;
    }

    /** Serves what a router reaches. */
    static ClientSide ofRouter(
            Router router,
            Environment environment,
            BridgeStages stages,
            BridgeSettings settings,
            Supplier<Duration> callTimeout) {
        var audit = stages.audit();
        var parts = new DownstreamParts(
                path(router, stages, environment.logger()),
                environment,
                new ServerCard("mcp-bridge-server", BridgeVersion.CURRENT, "", stages.keeper()),
                callTimeout,
                limits(settings),
                new RoutedServers(router),
                new EventForwarder(router, audit, environment.logger()));
        var clients = new Clients(parts, audit::note);
        clients.onSessionEnded(stages.observers().list()::ended);
        return new ClientSide(clients);
    }

    /** The path of every call before it reaches its server, in the order of {@link Position}. */
    private static Handler path(Router router, BridgeStages stages, System.Logger logger) {
        var audit = stages.audit();
        var unresolved = audit.stage().map(ResolveStage.Unresolved.class::cast).orElse(ResolveStage.Unresolved.NONE);
        return new Pipeline()
                .add(
                        Position.FAILURE_LOG,
                        new FailureLogStage((call, why) -> logFailure(logger, router.named(call), why)))
                .add(Position.DRAIN, stages.drain())
                .add(Position.TOOL_SEARCH, new ToolSearchStage(router, audit::denied))
                .add(Position.OBSERVERS, stages.observers().list().stage(CallStart.Origin.CLIENT, router::lists))
                .add(Position.RESOLVE, new ResolveStage(router, unresolved))
                .add(Position.AUDIT, audit.stage())
                .add(Position.OVERALL_DEADLINE, new DeadlineStage())
                .add(Position.RUN_ONCE, stages.runOnce())
                .handler(Pipeline.TO_DESTINATION, logger);
    }

    /** Logs the failure of a call that reached no server. */
    private static void logFailure(System.Logger logger, AuditedCall call, Failure why) {
        var tool = call.server().isEmpty() ? call.tool() : call.server() + "." + call.tool();
        logger.log(
                Level.WARNING,
                "[mcp-bridge] Tool call failed and is not tried again: %s: %s [request %s]"
                        .formatted(
                                VisibleText.beginning(tool, 128),
                                VisibleText.beginning(why.message(), 1_000),
                                call.correlationId()));
    }

    private static ClientLimits limits(BridgeSettings settings) {
        var limits = settings.limits();
        return new ClientLimits(
                limits.inFlight(),
                limits.connections(),
                limits.subscriptions(),
                ClientLimits.DEFAULTS.sessionIdle(),
                settings.keepAlive());
    }

    @Override
    public Optional<Intake> connected(Peer peer) {
        return isClosed ? Optional.empty() : clients.connected(peer);
    }

    @Override
    public void note(AuditNote note) {
        clients.note(note);
    }

    /** Sends clients a notification that belongs to no request, such as {@code list_changed}. */
    public void send(Notification notification) {
        clients.send(notification);
    }

    /** The connected clients, the oldest first. */
    public List<ClientStatus> registry() {
        return clients.registry().stream().map(ClientStatus::of).toList();
    }

    /** Ends every session and every call with this reason, and rejects new clients. */
    public void close(CancelReason reason) {
        isClosed = true;
        clients.close(reason);
    }

    /**
     * A program that serves tools, and maybe resources and prompts.
     *
     * @param name the name of the server for clients
     * @param version its version
     * @param instructions for the client's model, or the empty string
     * @param features the names of its capabilities: {@code tools}, {@code resources}, {@code prompts}
     * @param callTimeout the current total time of a call
     * @param handler runs the calls
     * @param schemas finds the raw JSON of a tool's {@code inputSchema} by its name
     */
    public record ServedProgram(
            String name,
            String version,
            String instructions,
            List<String> features,
            Supplier<Duration> callTimeout,
            Handler handler,
            Function<String, Optional<String>> schemas) {}

    /**
     * The stages of a bridge that its creator chooses; {@link Pipeline.Position} has their order.
     *
     * @param drain counts calls, and rejects new ones while the bridge drains
     * @param observers observe the calls
     * @param audit records the calls
     * @param runOnce runs calls with the same key of their client once
     * @param instance the name of the bridge towards clients that repeat calls with a key
     */
    public record BridgeStages(
            CallStage drain, Observers observers, CallAudit audit, Optional<CallStage> runOnce, String instance) {

        private String keeper() {
            return runOnce.isPresent() ? instance : "";
        }
    }

    /** What is known of the servers of a router. */
    private record RoutedServers(Router router) implements KnownServers {

        @Override
        public Optional<String> toolSchema(Caller caller, String tool) {
            return router.toolSchema(caller, tool);
        }

        @Override
        public Introductions introductions(Caller caller) {
            return new Introductions(
                    router.profiles(caller), router.routes().all().size());
        }
    }

    /**
     * Forwards events of clients outside of their calls: notifications to the servers, and rejected requests to the
     * audit and the log.
     */
    private record EventForwarder(Router router, CallAudit audit, System.Logger logger) implements ClientEvents {

        @Override
        public void notified(Caller caller, Notification notification) {
            router.forward(caller, notification);
        }

        @Override
        public void rejected(Call call, Failure why) {
            audit.denied(call, why);
            if (call.request().method().equals(Methods.TOOLS_CALL)) {
                logFailure(logger, router.named(call), why);
            }
        }
    }
}
