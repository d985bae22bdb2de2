package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Deadline;
import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.config.ToolNaming;
import io.mcpbridge.config.UserAccess;
import io.mcpbridge.discovery.Providers;
import io.mcpbridge.engine.pipeline.NoRetriesProvider;
import io.mcpbridge.engine.routing.Router;
import io.mcpbridge.engine.routing.RoutingTable;
import io.mcpbridge.engine.routing.ServerRoute;
import io.mcpbridge.engine.upstream.connection.BridgeIdentity;
import io.mcpbridge.engine.upstream.connection.UpstreamParts.Reconnecting;
import io.mcpbridge.event.EventBus;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.TransportException;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.CallStageProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.MemoryToolCatalog;
import io.mcpbridge.spi.RetryPolicyProvider;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.TransportProvider;
import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.RecordingReply;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Many servers behind one list of tools: each call reaches the one server that its name leads to. */
class RoutingTest {
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final RecordingLogger log = new RecordingLogger();
    private final Environment environment = Environment.of(time, Runnable::run, Fakes.NO_LAUNCHER)
            .withLogger(log)
            .withVariables(Map.of());
    private final MemoryToolCatalog catalog = new MemoryToolCatalog();
    private final Map<String, HeldServers> held = new HashMap<>();
    private final List<ServerRoute> routes = new ArrayList<>();
    private int toolChanges;

    @Test
    void toolsOfAllServersAreListedUnderTheirPrefixes() {
        var reply = send(router(ToolNaming.PREFIX, "a", "b"), Methods.TOOLS_LIST, "{}");
        lists("a", "x", "y");
        lists("b", "x");

        assertThat(reply.awaitAnswer().json())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":\"mine\",\"result\":{\"tools\":[{\"name\":\"a__x\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"a__y\",\"inputSchema\":{\"type\":\"object\"}},{\"name\":\"b__x\",\"inputSchema\":{\"type\":\"object\"}}]}}");
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void failingAndSilentServersAreOmittedFromTheList() {
        var router = router(ToolNaming.PREFIX, "fails", "silent", "works");
        server("fails").unreachable(TransportException.unreachable("held:x", new ConnectException("refused")));
        var reply = send(router, Methods.TOOLS_LIST, "{}");
        lists("works", "x");
        assertThat(reply.isDone()).isFalse();

        time.advance(Duration.ofSeconds(10));

        assertThat(reply.awaitAnswer().raw(MessageField.RESULT))
                .contains("{\"tools\":[{\"name\":\"works__x\",\"inputSchema\":{\"type\":\"object\"}}]}");
        assertThat(log.lines()).anyMatch(line -> line.contains("'fails' are missing from the list"));
        assertThat(log.lines())
                .anyMatch(line -> line.contains("the tools of server 'silent' (healthy) are missing from the list")
                        && line.contains("within 10000 ms"));
        lists("silent", "late");
        assertThat(toolChanges).isEqualTo(1);
        assertThat(reply.outcomes()).hasSize(1);
    }

    @Test
    void missingListIsLoggedOncePerCause() {
        var router = router(ToolNaming.PREFIX, "fails");
        var fails = server("fails");

        fails.unreachable(TransportException.unreachable("held:x", new ConnectException("refused")));
        for (int i = 0; i < 5; i++) {
            assertThat(send(router, Methods.TOOLS_LIST, "{}").isDone()).isTrue();
        }
        assertThat(missing()).singleElement().asString().contains("refused");

        fails.unreachable(TransportException.unreachable("held:x", new ConnectException("no route")));
        time.advance(Duration.ofMinutes(2));
        for (int i = 0; i < 5; i++) {
            assertThat(send(router, Methods.TOOLS_LIST, "{}").isDone()).isTrue();
        }
        assertThat(missing()).hasSize(2).last().asString().contains("no route");
    }

    private List<String> missing() {
        return log.lines().stream()
                .filter(line -> line.contains("'fails' are missing from the list"))
                .toList();
    }

    @Test
    void callReachesItsServerUnderTheToolsOwnName() {
        var reply = send(
                router(ToolNaming.PREFIX, "a", "b"),
                Methods.TOOLS_CALL,
                "{\"name\":\"b___x\",\"arguments\":{\"n\":1.50}}");
        lists("b", "_x");

        var sent = server("b").connection().last().message();
        assertThat(sent.raw(MessageField.PARAMS)).contains("{\"name\":\"_x\",\"arguments\":{\"n\":1.50}}");
        server("b").connection().answer(server("b").connection().last(), "{}");
        assertThat(reply.awaitAnswer().isError()).isFalse();
        assertThat(server("a").connections()).isEmpty();
    }

    @Test
    void unresolvableNamesAreUnknownTools() {
        var router = router(ToolNaming.PREFIX, "a");

        for (var name : List.of("c__x", "x", "a__", "__x", "a__no such name", "a__" + "x".repeat(126))) {
            var failure = send(router, Methods.TOOLS_CALL, "{\"name\":\"" + name + "\"}")
                    .awaitFailure();
            assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
            assertThat(failure.message()).isEqualTo("Unknown tool: " + name);
        }
    }

    @Test
    void callToAnOmittedServerStatesTheReason() {
        var router = router(ToolNaming.PREFIX, "a");
        var routes = List.copyOf(router.routes().all());
        var absent = Map.of("gone", "server 'gone' is disabled");
        router.replace(RoutingTable.of(routes, ToolNaming.PREFIX, absent, UserAccess.ALL));

        var failure = send(router, Methods.TOOLS_CALL, "{\"name\":\"gone__x\"}").awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(failure.retryable()).isFalse();
        assertThat(failure.message()).isEqualTo("Unknown tool: gone__x; server 'gone' is disabled");
    }

    @Test
    void unknownPlainNameMentionsUnreachableServers() {
        var router = router(ToolNaming.PLAIN, "fails", "works");
        server("fails").unreachable(TransportException.unreachable("held:x", new ConnectException("refused")));
        var reply = send(router, Methods.TOOLS_CALL, "{\"name\":\"x\"}");
        lists("works", "y");

        var failure = reply.awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.message())
                .isEqualTo(
                        "Unknown tool: x; it may be one of the server(s) [fails], which cannot be asked at the moment");
    }

    @Test
    void toolWithAnInvalidNameIsOmittedAndLoggedOnce() {
        var router = router(ToolNaming.PREFIX, "a");
        var first = send(router, Methods.TOOLS_LIST, "{}");
        lists("a", "good", "no good", "nor this!");

        assertThat(first.awaitAnswer().raw(MessageField.RESULT))
                .contains("{\"tools\":[{\"name\":\"a__good\",\"inputSchema\":{\"type\":\"object\"}}]}");
        send(router, Methods.TOOLS_LIST, "{}").awaitAnswer();

        assertThat(log.lines().stream().filter(line -> line.contains("is not listed")))
                .hasSize(2)
                .anyMatch(line ->
                        line.contains("the tool 'no good' of server 'a' cannot be used and is not listed: 'name' is"
                                + " \"no good\" but must be [A-Za-z0-9_.-]{1,128}"));
    }

    @Test
    void requestWithoutANameOrWithAForeignCursorIsRejected() {
        var router = router(ToolNaming.PREFIX, "a");

        assertThat(send(router, Methods.TOOLS_CALL, "{}").awaitFailure().message())
                .contains("'params.name'");
        assertThat(send(router, Methods.TOOLS_LIST, "{\"cursor\":\"2\"}")
                        .awaitFailure()
                        .message())
                .contains("the cursor \"2\" is none of this list");
    }

    @Test
    void plainNameReachesTheOnlyServerThatHasTheTool() {
        var router = router(ToolNaming.PLAIN, "a", "b");
        send(router, Methods.TOOLS_CALL, "{\"name\":\"y\"}");
        lists("a", "x");
        lists("b", "y");

        assertThat(server("b").connection().last().message().raw(MessageField.PARAMS))
                .contains("{\"name\":\"y\"}");
    }

    @Test
    void knownPlainNameDoesNotWaitForASilentServer() {
        var router = router(ToolNaming.PLAIN, "a", "silent");
        send(router, Methods.TOOLS_LIST, "{}");
        lists("a", "x");

        send(router, Methods.TOOLS_CALL, "{\"name\":\"x\"}");

        assertThat(server("a").connection().last().message().raw(MessageField.PARAMS))
                .contains("{\"name\":\"x\"}");
    }

    @Test
    void plainNameOfTwoServersIsRejected() {
        var router = router(ToolNaming.PLAIN, "a", "b");
        var list = send(router, Methods.TOOLS_LIST, "{}");
        lists("a", "both", "mine");
        lists("b", "both");

        assertThat(list.awaitAnswer().raw(MessageField.RESULT))
                .contains("{\"tools\":[{\"name\":\"mine\",\"inputSchema\":{\"type\":\"object\"}}]}");
        assertThat(send(router, Methods.TOOLS_CALL, "{\"name\":\"both\"}")
                        .awaitFailure()
                        .message())
                .isEqualTo("Unknown tool: both");
    }

    @Test
    void noTwoToolsShareAnExposedName() {
        var random = new Random(7);
        var seen = new HashMap<String, String>();
        for (int i = 0; i < 20_000; i++) {
            var server = word(random);
            var tool = word(random);
            if (isServer(server)) {
                var owner = server + " " + tool;
                var before = seen.putIfAbsent(server + "__" + tool, owner);

                assertThat(Optional.ofNullable(before).orElse(owner)).isEqualTo(owner);
            }
        }
        assertThat(seen).hasSizeGreaterThan(100);
    }

    private static boolean isServer(String name) {
        try {
            return !ServerSettings.of(name, "held", Settings.of(Map.of()))
                    .name()
                    .isEmpty();
        } catch (ConfigurationException refused) {
            return false;
        }
    }

    private static String word(Random random) {
        var word = new StringBuilder();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
            word.append("ab__".charAt(random.nextInt(4)));
        }
        return word.toString();
    }

    private Router router(ToolNaming names, String... servers) {
        for (var server : servers) {
            open(server);
        }
        return new Router(RoutingTable.of(routes, names), time, log);
    }

    private void open(String name) {
        var provider = new HeldServers();
        held.put(name, provider);
        var plugins = new Plugins(
                Providers.only(TransportProvider.class, List.of(provider)),
                Providers.only(RetryPolicyProvider.class, List.of(new NoRetriesProvider())),
                Providers.only(CallStageProvider.class, List.of()));
        var servers = new RouteFactory(
                environment,
                plugins,
                new EventBus(log),
                catalog,
                BridgeIdentity.OURS,
                (server, changed) -> toolChanges++);
        var settings = ServerSettings.of(name, "held", Settings.of(Map.of("keep-alive", "0s")));
        routes.add(servers.open(settings, Reconnecting.ON_DEMAND, "none"));
    }

    private RecordingReply send(Router router, String method, String params) {
        var request = Request.of(MessageId.of("mine"), method, params);
        var deadline = Deadline.after(Duration.ofMinutes(1), time);
        return OneServer.through(
                ManyServers.routing(router, log), Call.of(request, OneServer.client("alice"), "c-1", deadline));
    }

    private HeldServers server(String name) {
        return Objects.requireNonNull(held.get(name), name);
    }

    private void lists(String server, String... tools) {
        HeldTransport connection = server(server).connection();
        var json = new ArrayList<String>();
        for (var tool : tools) {
            json.add("{\"name\":\"" + tool + "\",\"inputSchema\":{\"type\":\"object\"}}");
        }
        connection.answer(connection.last(), "{\"tools\":[" + String.join(",", json) + "]}");
    }
}
