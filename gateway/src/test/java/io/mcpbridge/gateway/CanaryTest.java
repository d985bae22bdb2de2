package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.Plugins;
import io.mcpbridge.engine.RouteFactory;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.ResolveStage;
import io.mcpbridge.engine.routing.Router;
import io.mcpbridge.engine.routing.RoutingTable;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.session.Clients;
import io.mcpbridge.engine.session.DownstreamParts;
import io.mcpbridge.engine.session.DownstreamParts.ClientLimits;
import io.mcpbridge.engine.session.ServerCard;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage.Next;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.MemoryToolCatalog;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** H1, H2, B7: no client ever receives messages of another, and the check would detect it. */
@Timeout(120)
class CanaryTest {
    private static final String TOOL = "canary__sing";

    private final DaemonFixture fixture;

    CanaryTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void hundredClientsWithTheSameIdsReceiveOnlyTheirOwnMessages() throws Exception {
        var run = new CanaryRun(Duration.ofSeconds(20));
        serve(run);
        var daemon = fixture.start();

        var report = run.run(Path.of(fixture.unixAddress()), TOOL);

        assertThat(report.violations()).isEmpty();
        assertThat(report.losses()).isZero();
        assertThat(report.inDoubtCount()).as("calls that timed out").isPositive();
        assertThat(report.answers()).as("calls that were answered").isPositive();
        assertThat(report.answers() + report.inDoubtCount()).isGreaterThan(CanaryRun.CLIENTS * CanaryRun.CALLS / 2);
        assertAllClientsAreDisconnected(daemon);
    }

    @Test
    void clientsOfAKilledServerReceiveOnlyTheirOwnMessages() throws Exception {
        var run = new CanaryRun(Duration.ofSeconds(20));
        var server = serve(run);
        var daemon = fixture.start();

        var report = run.run(Path.of(fixture.unixAddress()), TOOL, () -> kill(run, server));

        assertThat(report.violations()).isEmpty();
        assertThat(report.inDoubtCount()).isPositive();
        assertThat(report.answers()).isPositive();
        assertThat(report.answers() + report.inDoubtCount()).isGreaterThan(CanaryRun.CLIENTS * CanaryRun.CALLS / 2);
        assertAllClientsAreDisconnected(daemon);
    }

    @Test
    void clientsOverHttpReceiveOnlyTheirOwnMessagesThoughTheServerIsKilled() throws Exception {
        var run = new CanaryRun(Duration.ofSeconds(20));
        var server = serve(run);
        var daemon = fixture.start();

        var report = run.run(fixture.httpAddress(), TOOL, () -> kill(run, server));

        assertThat(report.violations()).isEmpty();
        assertThat(report.losses()).isZero();
        assertThat(report.inDoubtCount()).isPositive();
        assertThat(report.answers() + report.inDoubtCount()).isEqualTo(CanaryRun.CLIENTS * CanaryRun.HTTP_CALLS);
        Eventually.holds("every call to be gone", () -> daemon.health().callsInFlight() == 0);
    }

    private UnixToolServer serve(CanaryRun run) throws IOException {
        var server = fixture.unix("canary", run.script());
        fixture.server("canary", server.section().replace("}", ", \"timeout\": \"1500ms\"}"));
        return server;
    }

    private static void kill(CanaryRun run, UnixToolServer server) {
        run.script().holdResponses();
        Eventually.holds("calls to be lost", () -> run.script().open() > 10);
        // In this order, so that no message of the next connection is lost.
        run.script().loseOpenCalls();
        server.cut();
    }

    private static void assertAllClientsAreDisconnected(Daemon daemon) {
        Eventually.holds("every call to be gone", () -> daemon.health().callsInFlight() == 0);
        Eventually.holds("every client to be gone", () -> daemon.clients().isEmpty());
        assertThat(daemon.servers().get(0).callsInFlight()).isZero();
    }

    /** The error that the check must detect: responses matched by the clients' ids. */
    @ParameterizedTest
    @ValueSource(strings = {"unix", "http"})
    void checkDetectsMisroutedAnswers(String front) throws Exception {
        var run = new CanaryRun(Duration.ofSeconds(2));
        var server = fixture.unix("canary", run.script());
        var place = Map.of("path", fixture.folder.resolve("broken.sock").toString());
        try (var environment = StandardEnvironment.open();
                var catalog = new MemoryToolCatalog()) {
            var parts = environment.environment();
            var events = new EventBus(parts.logger());
            var servers = new RouteFactory(
                    parts, Plugins.found(), events, catalog, BridgeIdentity.OURS, (name, changed) -> {});
            var settings = fixture.configuration().server("canary").orElseThrow();
            var route = servers.open(settings, Reconnecting.ON_DEMAND, "none");
            var broken = new ServerRoute(
                    route.upstream(),
                    new MatchedByClientsId(route.handler()),
                    route.handlers(),
                    route.callsUnderWay(),
                    route.readings(),
                    route.sandbox());
            var router =
                    new Router(RoutingTable.of(List.of(broken), ToolNaming.PREFIX), parts.timekeeper(), parts.logger());
            var handler = new Pipeline()
                    .add(Pipeline.Position.RESOLVE, new ResolveStage(router, ResolveStage.Unresolved.NONE))
                    .handler(Pipeline.TO_DESTINATION, parts.logger());
            var card = new ServerCard("broken", "1", "");
            var clients = new Clients(
                    new DownstreamParts(handler, parts, card, () -> Duration.ofSeconds(60), ClientLimits.DEFAULTS));
            try (var listener = Providers.of(ListenerProvider.class)
                    .named(front)
                    .create(Settings.of(front.equals("unix") ? place : Map.of("port", 0)), parts)) {
                listener.start(clients);

                var report = front.equals("unix")
                        ? run.run(Path.of(listener.address().getPath()), TOOL)
                        : run.run(listener.address(), TOOL, () -> {});

                assertThat(report.violations()).isNotEmpty();
                assertThat(report.losses()).isPositive();
            } finally {
                clients.close(CancelReason.SHUTTING_DOWN);
                route.upstream().close();
            }
        }
        Eventually.holds("the server to be left", () -> server.connections() == 0);
    }

    /** Forgets that two clients may use one id. */
    private static final class MatchedByClientsId implements Next {
        private final Next next;
        private final Map<MessageId, CallContext> calls = new ConcurrentHashMap<>();

        private MatchedByClientsId(Next next) {
            this.next = next;
        }

        @Override
        public void handle(CallContext call) {
            var id = call.request().id();
            calls.put(id, call);
            var own = call.newAttempt(call.cancellation());
            own.onEvent(event -> calls.getOrDefault(id, call).event(event));
            own.onComplete(outcome -> {
                var latest = calls.remove(id);
                if (latest != null) {
                    latest.complete(outcome);
                }
            });
            next.handle(own);
        }
    }
}
