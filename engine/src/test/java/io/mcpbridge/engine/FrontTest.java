package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.pipeline.NoRetriesProvider;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MemoryToolCatalog;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.InMemoryListener;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients in the process of a bridge, at its fronts. */
@Timeout(60)
class FrontTest {
    private static final String TWO_SERVERS =
            "\"one\":{\"type\":\"memory\",\"retry\":\"none\"},\"two\":{\"type\":\"memory\",\"retry\":\"none\"}";

    private final FrontDoor door = new FrontDoor();
    private final InMemoryListener listener = new InMemoryListener();

    @Test
    void handshakeNeedsNoServer() throws IOException {
        try (var bridge = bridge(TWO_SERVERS, "")) {
            var welcome = client(bridge.front()).receive();

            assertThat(welcome).contains("\"id\":0", "\"protocolVersion\":\"2025-11-25\"", "\"tools\":");
            assertThat(door.server.received()).isEmpty();
        }
    }

    @Test
    void allServersHaveExposedNames() throws IOException {
        serveEcho();
        try (var bridge = bridge(TWO_SERVERS, "")) {
            var client = initialized(bridge.front());

            assertThat(answer(client, 1, "tools/list", "")).contains("\"one__echo\"", "\"two__echo\"");
            assertThat(answer(client, 2, "tools/call", "\"name\":\"two__echo\""))
                    .contains("\"hi\"");
            assertThat(calledNames()).containsExactly("echo");
        }
    }

    @Test
    void oneServerHasItsOwnNames() throws IOException {
        serveEcho();
        try (var bridge = bridge(TWO_SERVERS, "")) {
            var client = initialized(bridge.front("two"));

            assertThat(answer(client, 1, "tools/list", "")).containsOnlyOnce("\"echo\"");
            assertThat(answer(client, 2, "tools/call", "\"name\":\"echo\"")).contains("\"hi\"");
            assertThatThrownBy(() -> bridge.front("three"))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("there is no server 'three'");
        }
    }

    @Test
    void programAndItsClientsShareConnections() throws Exception {
        serveEcho();
        try (var bridge = bridge(TWO_SERVERS, "")) {
            bridge.callTool("one", "echo", Map.of());
            var client = initialized(bridge.front());
            var ofOne = client(bridge.front("one"));
            ofOne.receive();

            assertThat(answer(client, 1, "tools/call", "\"name\":\"one__echo\""))
                    .contains("\"hi\"");
            assertThat(answer(ofOne, 1, "tools/call", "\"name\":\"echo\"")).contains("\"hi\"");
            assertThat(requests(Methods.INITIALIZE)).hasSize(1);
        }
    }

    @Test
    void sessionSurvivesTheLossOfItsServer() throws IOException {
        serveEcho();
        try (var bridge = bridge(TWO_SERVERS, "")) {
            var client = initialized(bridge.front());
            var lastId = new AtomicInteger();
            for (int i = 1; i <= 3; i++) {
                // A call fails if it comes before the loss of the connection is noticed.
                Eventually.holds("an answer in the same session", () -> echoes(client, lastId.incrementAndGet()));
                door.server.cut();
            }
        }
    }

    private static boolean echoes(RawClient client, int id) {
        try {
            var answer = answer(client, id, "tools/call", "\"name\":\"one__echo\"");
            assertThat(answer).contains("\"id\":" + id);
            return answer.contains("\"hi\"");
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Test
    void modernClientsAreServed() throws IOException {
        serveEcho();
        try (var bridge = bridge(TWO_SERVERS, "")) {
            var client = connected(bridge.front());

            client.send(Modern.request("1", "server/discover", ""));
            assertThat(client.receive()).contains("\"2026-07-28\"");
            client.send(Modern.request("2", "tools/call", "\"name\":\"one__echo\""));
            assertThat(client.receive()).contains("\"hi\"", "\"resultType\":\"complete\"");
        }
    }

    @Test
    void clientsAreNotifiedOfAddedAndRemovedServers() throws IOException {
        serveEcho();
        try (var bridge = bridge(TWO_SERVERS, "")) {
            var client = initialized(bridge.front());
            var ofOne = client(bridge.front("one"));
            ofOne.receive();

            bridge.addServer(ServerSettings.of("three", "memory", Settings.of(Map.of("retry", "none"))));
            bridge.removeServer("one");

            assertThat(client.receive()).contains("list_changed");
            assertThat(answer(client, 1, "tools/call", "\"name\":\"three__echo\""))
                    .contains("\"hi\"");
            assertThat(answer(client, 2, "tools/call", "\"name\":\"one__echo\""))
                    .contains("\"error\"");
            assertThat(answer(ofOne, 1, "tools/call", "\"name\":\"echo\"")).contains("\"error\"");
        }
    }

    @Test
    void clientsOfOneServerAreNotNotifiedOfOthers() throws IOException {
        serveEcho();
        try (var bridge = bridge(TWO_SERVERS, "")) {
            var ofOne = initialized(bridge.front("one"));
            var ofTwo = initialized(bridge.front("two"));

            bridge.removeServer("two");
            for (int i = 0; i < 3; i++) {
                assertThat(ofTwo.receive()).contains("list_changed");
            }

            ofOne.send(request(1, "tools/list", ""));
            assertThat(ofOne.receive()).contains("\"id\":1", "\"echo\"");
        }
    }

    @Test
    void frontThatOpensDuringAChangeSeesIt() throws Exception {
        serveEcho();
        try (var owned = StandardEnvironment.open()) {
            var environment = owned.environment();
            var settings = BridgeConfiguration.parse("{\"mcpServers\":{}}", Path.of("."), Map.of())
                    .bridge();
            var changes = new ArrayList<Thread>();
            var routes = new ConcurrentHashMap<String, ServerRoute>() {
                @Override
                public @Nullable ServerRoute get(Object name) {
                    var before = super.get(name);
                    changes.forEach(change -> begin(change, () -> remove(name)));
                    return before;
                }
            };
            routes.put("one", route(environment));
            var fronts = new Fronts(settings, environment, Observers.only(List.of(), environment), routes);
            changes.add(new Thread(() -> fronts.serverChanged("one")));

            var front = fronts.of("one");
            changes.get(0).join();

            assertThat(answer(initialized(front), 1, "tools/list", "")).contains("\"tools\":[]");
            fronts.close();
        }
    }

    @Test
    void changeDoesNotWaitForTheAuditSink() throws Exception {
        try (var owned = StandardEnvironment.open()) {
            var opening = new CountDownLatch(1);
            var released = new CountDownLatch(1);
            var environment = owned.environment().withRandom(() -> {
                opening.countDown();
                Eventually.holds("the release", () -> released.getCount() == 0);
                return 1;
            });
            var configuration = "{\"mcpServers\":{},\"bridge\":{\"audit\":{\"sink\":\"blocking\"}}}";
            var settings = BridgeConfiguration.parse(configuration, Path.of("."), Map.of())
                    .bridge();
            var fronts = new Fronts(settings, environment, Observers.only(List.of(), environment), Map.of());
            var openers = Stream.of(new Thread(fronts::ofAll), new Thread(fronts::ofAll))
                    .toList();
            openers.forEach(Thread::start);
            opening.await();
            var change = new Thread(() -> fronts.serverChanged("one"));
            change.start();

            Eventually.holds("the end of the change", () -> !change.isAlive());

            released.countDown();
            for (var opener : openers) {
                opener.join();
            }
            assertThat(fronts.ofAll()).isInstanceOf(ClientSide.class);
            fronts.close();
            assertThat(fronts.ofAll()).isNotInstanceOf(ClientSide.class);
        }
    }

    /** Opens a sink as soon as the environment has a random number for it. */
    public static final class BlockingSinkProvider implements AuditSinkProvider {
        @Override
        public Id id() {
            return new Id("blocking", SPI_VERSION);
        }

        @Override
        public AuditSink open(Settings settings, Environment environment) {
            var unused = environment.random().nextLong();
            return new NoopAuditSink();
        }

        @Override
        public void check(Settings settings) {}
    }

    /** Begins a change in the middle of another action; returns when it has ended or waits for that. */
    private static void begin(Thread change, Runnable preparation) {
        if (change.getState() == Thread.State.NEW) {
            preparation.run();
            change.start();
            Eventually.holds(
                    "the change",
                    () -> Set.of(Thread.State.WAITING, Thread.State.TERMINATED).contains(change.getState()));
        }
    }

    private ServerRoute route(Environment environment) {
        var plugins = new Plugins(
                Providers.only(TransportProvider.class, List.of(door.provider)),
                Providers.only(RetryPolicyProvider.class, List.of(new NoRetriesProvider())),
                Providers.only(CallStageProvider.class, List.of()));
        var servers = new RouteFactory(
                environment,
                plugins,
                new EventBus(environment.logger()),
                new MemoryToolCatalog(),
                BridgeIdentity.OURS,
                (server, changed) -> {});
        var settings = ServerSettings.of("one", "memory", Settings.of(Map.of()));
        return servers.open(settings, Reconnecting.ON_DEMAND, "none");
    }

    @Test
    void grantsOfClientsApplyToExposedNames() throws IOException {
        serveEcho();
        var denied = "\"clients\":{\"*\":{\"tools\":{\"deny\":[\"two__*\"]}}}";
        try (var bridge = bridge(TWO_SERVERS, denied)) {
            assertThat(answer(initialized(bridge.front()), 1, "tools/list", ""))
                    .contains("\"one__echo\"")
                    .doesNotContain("two__echo");
            assertThat(answer(initialized(bridge.front("two")), 1, "tools/list", ""))
                    .contains("\"echo\"");
        }
    }

    @Test
    void missingAuditSinkIsReportedBeforeTheFirstClient() {
        try (var bridge = bridge(TWO_SERVERS, "\"audit\":{\"sink\":\"file\"}")) {
            assertThatThrownBy(bridge::front)
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining("'bridge.audit.sink' is 'file' but must be an installed sink");
        }
    }

    @Test
    void missingCatalogIsReportedAtTheStart() {
        assertThatThrownBy(() -> bridge(TWO_SERVERS, "\"catalog\":{\"lock\":\"mcp.lock\"}"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("there is no tool catalog 'pinned'");
    }

    @Test
    void closedBridgeDisconnectsItsClients() throws IOException {
        var before = LeakCheck.now();
        serveEcho();
        var bridge = bridge(TWO_SERVERS, "");
        var front = bridge.front();
        var client = initialized(front);
        answer(client, 1, "tools/call", "\"name\":\"one__echo\"");

        bridge.close();

        client.send(request(2, "tools/call", "\"name\":\"one__echo\""));
        assertThat(client.receive()).contains("\"id\":2", "\"error\"");
        connected(front).awaitEnd();
        assertThatThrownBy(bridge::front)
                .isInstanceOf(CallException.class)
                .hasMessageContaining("the bridge is closed");
        listener.close();
        before.assertNothingLeft();
    }

    private void serveEcho() {
        door.server
                .on(Methods.TOOLS_LIST, "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}")
                .on(Methods.TOOLS_CALL, "{\"content\":[{\"type\":\"text\",\"text\":\"hi\"}]}");
    }

    private Bridge bridge(String servers, String section) {
        var json = "{\"mcpServers\":{%s},\"bridge\":{%s}}".formatted(servers, section);
        var options = BridgeOptions.DEFAULTS
                .withTransports(Providers.only(TransportProvider.class, List.of(door.provider)))
                .withStages(Providers.only(CallStageProvider.class, List.of()));
        return Bridge.open(BridgeConfiguration.parse(json, Path.of("."), Map.of()), options);
    }

    private RawClient connected(Acceptor front) throws IOException {
        listener.stopAccepting();
        listener.start(front);
        return listener.connect();
    }

    private RawClient client(Acceptor front) throws IOException {
        var client = connected(front);
        client.send(
                request(
                        0,
                        "initialize",
                        "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}"));
        return client;
    }

    private RawClient initialized(Acceptor front) throws IOException {
        var client = client(front);
        client.receive();
        return client;
    }

    private static String answer(RawClient client, int id, String method, String params) throws IOException {
        client.send(request(id, method, params));
        var answer = client.receive();
        while (!answer.contains("\"id\":" + id)) {
            answer = client.receive();
        }
        return answer;
    }

    private static String request(int id, String method, String params) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{%s}}".formatted(id, method, params);
    }

    private Stream<Request> requests(String method) {
        return door.server.received().stream()
                .filter(Request.class::isInstance)
                .map(Request.class::cast)
                .filter(request -> request.method().equals(method));
    }

    private List<String> calledNames() {
        return requests(Methods.TOOLS_CALL)
                .map(request -> request.text(MessageField.NAME).orElse(""))
                .toList();
    }
}
