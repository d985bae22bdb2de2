package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.downstream.Clients;
import io.mcpbridge.downstream.calls.ClientLimits;
import io.mcpbridge.downstream.calls.DownstreamParts;
import io.mcpbridge.downstream.calls.ServerCard;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.routing.Plugins;
import io.mcpbridge.routing.Router;
import io.mcpbridge.routing.Routes;
import io.mcpbridge.routing.Servers;
import io.mcpbridge.spi.ListenerProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.standard.MemoryToolCatalog;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.upstream.UpstreamParts.Reconnecting;
import io.mcpbridge.upstream.introduction.Identity;
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

/** H1, H2, B7: no client ever hears what belongs to another; and the check would see it if one did. */
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
    void hundredClientsWithTheSameIdsHearOnlyTheirOwn() throws Exception {
        var run = new CanaryRun(Duration.ofSeconds(20));
        serve(run);
        var daemon = fixture.start();

        var report = run.run(Path.of(fixture.unixAddress()), TOOL);

        assertThat(report.violations()).isEmpty();
        assertThat(report.losses()).isZero();
        assertThat(report.doubts()).as("calls that timed out").isPositive();
        assertThat(report.answers()).isGreaterThan(CanaryRun.CLIENTS * CanaryRun.CALLS / 2);
        assertEverybodyHasLeft(daemon);
    }

    @Test
    void clientsOfAServerThatIsKilledHearOnlyTheirOwnToo() throws Exception {
        var run = new CanaryRun(Duration.ofSeconds(20));
        var server = serve(run);
        var daemon = fixture.start();

        var report = run.run(Path.of(fixture.unixAddress()), TOOL, () -> kill(run, server));

        assertThat(report.violations()).isEmpty();
        assertThat(report.doubts()).isPositive();
        assertThat(report.answers()).isGreaterThan(CanaryRun.CLIENTS * CanaryRun.CALLS / 2);
        assertEverybodyHasLeft(daemon);
    }

    @Test
    void clientsOverHttpHearOnlyTheirOwnThoughTheServerIsKilled() throws Exception {
        var run = new CanaryRun(Duration.ofSeconds(20));
        var server = serve(run);
        var daemon = fixture.start();

        var report = run.run(fixture.httpAddress(), TOOL, () -> kill(run, server));

        assertThat(report.violations()).isEmpty();
        assertThat(report.losses()).isZero();
        assertThat(report.doubts()).isPositive();
        assertThat(report.answers() + report.doubts()).isEqualTo(CanaryRun.CLIENTS * CanaryRun.HTTP_CALLS);
        Eventually.holds("every call to be gone", () -> daemon.health().callsInFlight() == 0);
    }

    private UnixToolServer serve(CanaryRun run) throws IOException {
        var server = fixture.unix("canary", run.script());
        fixture.server("canary", server.section().replace("}", ", \"timeout\": \"1500ms\"}"));
        return server;
    }

    private static void kill(CanaryRun run, UnixToolServer server) {
        run.script().hesitate();
        Eventually.holds("calls to be lost", () -> run.script().open() > 10);
        // In this order, so that nothing is forgotten that comes over the next connection.
        run.script().forgetAll();
        server.cut();
    }

    private static void assertEverybodyHasLeft(Daemon daemon) {
        Eventually.holds("every call to be gone", () -> daemon.health().callsInFlight() == 0);
        Eventually.holds("every client to be gone", () -> daemon.clients().isEmpty());
        assertThat(daemon.servers().get(0).callsInFlight()).isZero();
    }

    /** The mistake that the check is for: answers are matched by the clients' own ids. */
    @ParameterizedTest
    @ValueSource(strings = {"unix", "http"})
    void checkSeesAnswersThatGoToTheWrongClient(String front) throws Exception {
        var run = new CanaryRun(Duration.ofSeconds(2));
        var server = fixture.unix("canary", run.script());
        var place = Map.of("path", fixture.folder.resolve("broken.sock").toString());
        try (var environment = StandardEnvironment.open();
                var catalog = new MemoryToolCatalog()) {
            var parts = environment.environment();
            var events = new EventBus(parts.logger());
            var servers = new Servers(parts, Plugins.found(), events, catalog, Identity.OURS, changed -> {});
            var settings = fixture.configuration().server("canary").orElseThrow();
            var route = servers.open(settings, Reconnecting.ON_DEMAND, "none");
            var broken = route.withHandler(new MatchedByClientsId(route.handler()));
            var router = new Router(Routes.of(List.of(broken), ToolNaming.PREFIX), parts.timekeeper(), parts.logger());
            var card = new ServerCard("broken", "1", "");
            var clients = new Clients(
                    new DownstreamParts(router, parts, card, () -> Duration.ofSeconds(60), ClientLimits.DEFAULTS));
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

    /** A handler that forgets that two clients may use one id. */
    private static final class MatchedByClientsId implements Handler {
        private final Handler next;
        private final Map<MessageId, Reply> replies = new ConcurrentHashMap<>();

        private MatchedByClientsId(Handler next) {
            this.next = next;
        }

        @Override
        public void handle(Call call, Reply reply) {
            var id = call.request().id();
            replies.put(id, reply);
            next.handle(call, new Reply() {
                @Override
                public void event(Message progressOrLog) {
                    replies.getOrDefault(id, reply).event(progressOrLog);
                }

                @Override
                public void done(Outcome outcome) {
                    var latest = replies.remove(id);
                    if (latest != null) {
                        latest.done(outcome);
                    }
                }
            });
        }
    }
}
