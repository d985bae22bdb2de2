package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.Script;
import io.mcpbridge.tool.ToolDefinition;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** K6: a malformed definition removes its own tool only, whether or not schemas are checked. */
@Timeout(60)
class MalformedToolsTest {
    private static final String GOOD = "{ \"name\" : \"good\", \"inputSchema\":{\"type\":\"object\"},\"own\":1.0}";
    private static final String LIST = "{\"tools\":[" + GOOD
            + ",{\"name\":\"bare\"}"
            + ",{\"name\":\"none\",\"inputSchema\":null}"
            + ",{\"name\":\"text\",\"inputSchema\":{\"type\":\"string\"}}"
            + ",{\"name\":\"titled\",\"inputSchema\":{\"type\":\"object\"},\"annotations\":[\"\u202e\"]}"
            + ",{\"inputSchema\":{\"type\":\"object\"}}"
            + ",{\"name\":7,\"inputSchema\":{\"type\":\"object\"}}"
            + ",{\"name\":\"\",\"inputSchema\":{\"type\":\"object\"}}"
            + ",\"a tool\""
            + ",{\"name\":\"good\",\"inputSchema\":{\"type\":\"object\"}}]";

    private final Server legacy = new Server(false);
    private final Server modern = new Server(true);
    private final RecordingLogger log = new RecordingLogger();
    private final DaemonFixture fixture;

    MalformedToolsTest() throws Exception {
        fixture = new DaemonFixture();
        fixture.unix("new", modern);
        fixture.unix("old", legacy);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void k6OtherToolsAreListedUnchanged() throws Exception {
        start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactlyInAnyOrder("new__good", "old__good");
        assertThat(client.answer(client.request(Methods.TOOLS_LIST, "{}")).json())
                .contains("{\"name\":\"old__good\",\"inputSchema\":{\"type\":\"object\"},\"own\":1.0}");
        assertThat(client.call("old__good", "{}").isError()).isFalse();
        assertThat(client.call("new__good", "{}").isError()).isFalse();
    }

    @Test
    void k6CallOfAnOmittedToolStatesTheReason() throws Exception {
        start();
        var client = fixture.client("one");

        for (var server : List.of("old", "new")) {
            assertThat(client.call(server + "__none", "{}").json())
                    .contains(
                            "-32602",
                            "Unknown tool: %1$s__none; server '%1$s' lists it, but it is not usable:".formatted(server),
                            "'inputSchema' is null but must be an object");
            assertThat(client.call(server + "__titled", "{}").json())
                    .contains("'annotations' is [")
                    .doesNotContain("\u202e");
            assertThat(client.call(server + "__nothing", "{}").json())
                    .contains("Unknown tool: " + server + "__nothing\"");
        }
        assertThat(legacy.calls).isEmpty();
        assertThat(modern.calls).isEmpty();
    }

    @Test
    void k6PlainNameOfAnOmittedToolStatesTheReason() throws Exception {
        fixture.without("new").bridge("\"names\": \"plain\", ");
        start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly("good");
        assertThat(client.call("text", "{}").json())
                .contains("Unknown tool: text; server 'old' lists it", "'inputSchema/type' is \\\"string\\\"");
    }

    @Test
    void k6EachOmittedToolIsLoggedOnceWithItsReason() throws Exception {
        start();
        var client = fixture.client("one");
        assertThat(client.toolNames()).hasSize(2);
        assertThat(client.call("old__bare", "{}").isError()).isTrue();
        assertThat(client.toolNames()).hasSize(2);

        assertThat(loggedOmissions("old"))
                .hasSize(9)
                .anyMatch(line -> line.endsWith("the tool 'bare' of server 'old' cannot be used and is not listed:"
                        + " it has no 'inputSchema', which must be an object"))
                .anyMatch(line -> line.contains("(no. 7 of the list)") && line.contains("but has 7"))
                .anyMatch(line -> line.contains("(no. 9 of the list)") && line.contains("expected an object"))
                .anyMatch(line -> line.contains("'good (no. 10 of the list)'")
                        && line.endsWith("one of that name is before it, which counts"))
                .noneMatch(line -> line.contains("\u202e"));
        assertThat(loggedOmissions("new")).hasSize(9);
    }

    @Test
    void k6GaugeShowsNumberAndNamesOfOmittedTools() throws Exception {
        start();
        assertThat(fixture.client("one").toolNames()).hasSize(2);

        var reading = reading("old");
        assertThat(reading.value()).isEqualTo(9);
        assertThat(reading.words())
                .startsWith("cannot be used and not listed: ")
                .contains("'bare' (it has no 'inputSchema', which must be an object)", "'text' (")
                .doesNotContain("\u202e");
    }

    @Test
    void k6BridgeOmitsThemToo() throws Exception {
        try (var bridge =
                Bridge.open(fixture.configuration(), BridgeOptions.DEFAULTS.withEnvironment(fixture.logging(log)))) {
            for (var server : List.of("old", "new")) {
                assertThat(bridge.listTools(server).stream().map(ToolDefinition::name))
                        .containsExactly("good");
            }
        }
    }

    private void start() {
        fixture.start(DaemonOptions.DEFAULTS.withEnvironment(fixture.logging(log)));
    }

    private List<String> loggedOmissions(String server) {
        return log.lines().stream()
                .filter(line -> line.contains("of server '%s' cannot be used and is not listed".formatted(server)))
                .toList();
    }

    private GaugeReading reading(String server) {
        return fixture.running().servers().stream()
                .filter(each -> each.name().equals(server))
                .flatMap(each -> each.readings().stream())
                .filter(each -> each.name().equals("catalog.left-out"))
                .findFirst()
                .orElseThrow();
    }

    /** A server of either era with malformed definitions. */
    private static final class Server implements Script {
        private final boolean isModern;
        private final List<String> calls = new CopyOnWriteArrayList<>();

        private Server(boolean isModern) {
            this.isModern = isModern;
        }

        @Override
        public void received(Message message, Wire wire) {
            if (message instanceof Request request) {
                var foreign = isModern ? Methods.INITIALIZE : Methods.SERVER_DISCOVER;
                wire.send(
                        request.method().equals(foreign)
                                ? Response.error(request.id(), -32601, "Method not found", "{}")
                                : answer(request));
            }
        }

        private Response answer(Request request) {
            var complete = isModern ? "\"resultType\":\"complete\"," : "";
            var result = switch (request.method()) {
                case Methods.INITIALIZE ->
                    "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
                            + "\"serverInfo\":{\"name\":\"old\",\"version\":\"1\"}}";
                case Methods.SERVER_DISCOVER ->
                    "{%s\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}".formatted(complete);
                case Methods.TOOLS_LIST ->
                    LIST + (isModern ? ",\"ttlMs\":60000,\"cacheScope\":\"public\"," + complete : ",")
                            + "\"_meta\":{}}";
                case Methods.TOOLS_CALL -> {
                    calls.add(request.json());
                    yield "{" + complete + "\"content\":[]}";
                }
                default -> "{%s\"_meta\":{}}".formatted(complete);
            };
            return Response.result(request.id(), result);
        }
    }
}
