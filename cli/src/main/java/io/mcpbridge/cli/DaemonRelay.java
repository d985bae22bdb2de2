package io.mcpbridge.cli;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.CorrelationIds;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.ClientConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.downstream.ClientLimits;
import io.mcpbridge.downstream.Clients;
import io.mcpbridge.downstream.DownstreamParts;
import io.mcpbridge.downstream.ServerCard;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Request;
import io.mcpbridge.pipeline.AttemptLog;
import io.mcpbridge.pipeline.OneOutcome;
import io.mcpbridge.pipeline.OverallDeadline;
import io.mcpbridge.pipeline.Pipeline;
import io.mcpbridge.pipeline.RetryStage;
import io.mcpbridge.pipeline.SingleServerLog;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Listener;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Peer;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.standard.MemoryToolCatalog;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.upstream.Identity;
import io.mcpbridge.upstream.Upstream;
import io.mcpbridge.upstream.UpstreamParts;
import io.mcpbridge.upstream.UpstreamParts.Reconnecting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * One client on our standard streams, the daemon behind it: forwards every request as it is, and opens a new
 * session with the daemon when that was restarted, so that the client's own goes on.
 */
final class DaemonRelay implements AutoCloseable {
    /** Longer than any call that the daemon allows, whose own deadline then decides. */
    private static final Duration CALL_TIMEOUT = Duration.ofMinutes(15);

    private static final Duration HANDSHAKE_TIMEOUT = Duration.ofSeconds(10);

    private final StandardEnvironment owned = StandardEnvironment.open();
    private final Environment environment = owned.environment();
    private final ClientConfiguration file;
    private final Upstream daemon;
    private final Clients clients;
    private final Listener listener;
    private final AttemptLog log = new SingleServerLog(environment.logger());
    private final CountDownLatch ended = new CountDownLatch(1);
    private volatile @Nullable Caller client;

    private DaemonRelay(Path socket, String clientId, ClientConfiguration file) {
        this.file = file;
        var events = new EventBus(environment.logger());
        events.subscribe(this::happened);
        this.daemon = new Upstream(parts(socket, clientId, events));
        this.daemon.onNotification((caller, notification) -> tell(notification));
        this.clients = new Clients(new DownstreamParts(
                handler(),
                environment,
                new ServerCard("mcp-bridge-server", Identity.OURS.version(), ""),
                () -> CALL_TIMEOUT,
                ClientLimits.DEFAULTS));
        this.listener = Providers.of(ListenerProvider.class).named("stdio").create(Settings.of(Map.of()), environment);
    }

    /**
     * Connects and begins to serve.
     *
     * @throws io.mcpbridge.failure.TransportException if no daemon answers at {@code socket}
     */
    static DaemonRelay open(Path socket, String clientId, ClientConfiguration file) throws InterruptedException {
        DaemonSearch.await(socket, file);
        var relay = new DaemonRelay(socket, clientId, file);
        relay.listener.start(relay::connected);
        return relay;
    }

    /** Waits until the client has closed our standard input. */
    void awaitEnd() throws InterruptedException {
        ended.await();
    }

    @Override
    public void close() {
        listener.close();
        clients.close(CancelReason.SHUTTING_DOWN);
        daemon.close();
        owned.close();
    }

    private UpstreamParts parts(Path socket, String clientId, EventBus events) {
        var provider = Providers.of(TransportProvider.class).named("unix");
        var settings = Settings.of(Map.of("path", socket.toString(), "timeoutMs", HANDSHAKE_TIMEOUT.toMillis()));
        return new UpstreamParts(
                ServerSettings.of("daemon", "unix", settings),
                () -> provider.create(settings, environment),
                environment,
                events,
                new MemoryToolCatalog(),
                Identity.OURS.withClientId(clientId),
                Reconnecting.ON_DEMAND);
    }

    private Handler handler() {
        var patience = new DaemonPatience(file);
        return Pipeline.of(
                List.of(
                        new OneOutcome(environment.logger()),
                        new OverallDeadline(),
                        new RetryStage(patience, call -> ToolHints.UNDECLARED, log, environment)),
                this::forward);
    }

    private void forward(Call call, Reply reply) {
        client = call.caller();
        daemon.handle(call, reply);
    }

    private Optional<Intake> connected(Peer peer) {
        return clients.connected(peer).map(intake -> new EndingIntake(intake, ended::countDown));
    }

    private void tell(Notification notification) {
        clients.tell(notification);
    }

    /** Comes back to a daemon that was restarted even when the client asks nothing, and says what may be new. */
    private void happened(BridgeEvent event) {
        if (event instanceof BridgeEvent.Disconnected && file.reconnect()) {
            reconnect();
        }
        if (event instanceof BridgeEvent.Reconnected) {
            clients.tell(Notification.of(Methods.TOOLS_LIST_CHANGED));
        }
    }

    private void reconnect() {
        var caller = client;
        if (caller == null) {
            return;
        }
        var deadline = Deadline.after(CALL_TIMEOUT, environment.timekeeper());
        var call = Call.of(
                Request.of(MessageId.of(0), Methods.INITIALIZE, "{}"),
                caller,
                CorrelationIds.next(environment.random()),
                deadline);
        var stage = new RetryStage(new DaemonPatience(file), unused -> ToolHints.UNDECLARED, log, environment);
        stage.handle(call, Nobody.INSTANCE, daemon::connect);
    }

    /** Nobody waits for the outcome of a reconnection. */
    private enum Nobody implements Reply {
        INSTANCE;

        @Override
        public void event(Message progressOrLog) {}

        @Override
        public void done(Outcome outcome) {}
    }
}
