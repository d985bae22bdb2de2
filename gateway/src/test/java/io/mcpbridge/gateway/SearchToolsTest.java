package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingAuditSink;
import io.mcpbridge.tool.Json;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that cannot hold all definitions search for tools and call what they found. */
@Timeout(60)
class SearchToolsTest {
    private static final String SEARCH = "bridge__search_tools";
    private static final String CALL = "bridge__call_tool";
    private static final String META = "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
            + "\"io.modelcontextprotocol/clientCapabilities\":{}";
    private static final String ON = "\"catalog\": {\"search-tools\": true}, ";

    private final ChangingTools disk = new ChangingTools()
            .tool("read", "Reads a file.")
            .tool("read_secret", "Reads a secret file.")
            .tool("write", "Writes a file.");
    private final ChangingTools mail = new ChangingTools().tool("send", "Sends a file by mail.");
    private final DaemonFixture fixture;
    private final UnixToolServer server;

    SearchToolsTest() throws Exception {
        fixture = new DaemonFixture();
        server = fixture.unix("disk", disk);
        fixture.unix("mail", mail);
        fixture.bridge(ON);
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void onlyTheTwoSearchToolsAreListed() throws Exception {
        fixture.start();

        assertThat(fixture.client("one").toolNames()).containsExactly(SEARCH, CALL);
        assertThat(disk.lists()).isZero();
    }

    @Test
    void alwaysListedToolsAreListedToo() throws Exception {
        fixture.bridge("\"catalog\": {\"search-tools\": true, \"always-listed\": [\"mail__*\", \"disk__read\"]}, ");
        fixture.start();

        assertThat(fixture.client("one").toolNames()).containsExactly(SEARCH, CALL, "disk__read", "mail__send");
    }

    @Test
    void searchFindsByWordsAndReturnsSchemas() throws Exception {
        fixture.start();
        var client = fixture.client("one");

        assertThat(found(client, "{\"query\":\"read file\"}")).containsExactly("disk__read", "disk__read_secret");
        assertThat(found(client, "{\"query\":\"file\",\"server\":\"mail\"}")).containsExactly("mail__send");
        assertThat(found(client, "{\"query\":\"\"}"))
                .containsExactly("disk__read", "disk__read_secret", "disk__write", "mail__send");
        assertThat(found(client, "{\"query\":\"nothing\"}")).isEmpty();
        assertThat(client.call(SEARCH, "{\"query\":\"mail\"}").raw(MessageField.STRUCTURED_CONTENT))
                .contains("{\"tools\":[{\"name\":\"mail__send\",\"description\":\"Sends a file by mail.\","
                        + "\"inputSchema\":{\"type\":\"object\"}}],\"found\":1}");
    }

    @Test
    void searchResultsAreLimitedInNumber() throws Exception {
        fixture.start();
        var answer = fixture.client("one").call(SEARCH, "{\"query\":\"file\",\"limit\":2}");

        assertThat(names(answer)).containsExactly("disk__read", "disk__read_secret");
        assertThat(answer.json()).contains("\"found\":4", "2 of 4 are shown; more words or a 'server' find fewer");
    }

    @Test
    void searchResultsAreLimitedInSize() throws Exception {
        for (int i = 10; i < 30; i++) {
            disk.tool("long" + i, "long " + "x".repeat(20_000));
        }
        disk.tool("long9", "long " + "x".repeat(200_000));
        fixture.start();

        var answer = fixture.client("one").call(SEARCH, "{\"query\":\"long\",\"limit\":50}");

        assertThat(names(answer)).hasSizeBetween(5, 10).startsWith("disk__long10", "disk__long11");
        assertThat(answer.length()).isLessThan(300 << 10);
        assertThat(fixture.client("two").call(SEARCH, "{\"query\":\"long9\"}").raw(MessageField.STRUCTURED_CONTENT))
                .contains("{\"tools\":[{\"name\":\"disk__long9\"}],\"found\":1}");
    }

    @Test
    void callThroughCallToolIsRecordedAsTheNamedTool() throws Exception {
        var sink = new RecordingAuditSink();
        fixture.start(DaemonOptions.DEFAULTS.withAuditSink(sink));
        var client = fixture.client("one");

        var answer = client.call(CALL, "{\"name\":\"disk__read\",\"arguments\":{\"path\":1.50}}");

        assertThat(answer.isError()).isFalse();
        assertThat(disk.calls()).containsExactly("read");
        assertThat(disk.arguments()).containsExactly("{\"path\":1.50}");
        Eventually.holds("the record", () -> sink.exits().size() == 1);
        assertThat(sink.enters()).singleElement().satisfies(entered -> {
            assertThat(entered.call().server()).isEqualTo("disk");
            assertThat(entered.call().tool()).isEqualTo("read");
            assertThat(entered.call().definition()).contains("Reads a file.");
            assertThat(entered.arguments()).isEqualTo("{\"path\":1.50}");
        });
    }

    @Test
    void nestedCallOfASearchToolIsRecordedAsDenied() throws Exception {
        var sink = new RecordingAuditSink();
        fixture.start(DaemonOptions.DEFAULTS.withAuditSink(sink));

        fixture.client("one").call(CALL, "{\"name\":\"%s\"}".formatted(SEARCH));

        assertThat(sink.denials()).singleElement().satisfies(denied -> {
            assertThat(denied.call().tool()).isEqualTo(SEARCH);
            assertThat(denied.reason()).isEqualTo("Unknown tool: " + SEARCH);
        });
    }

    @Test
    void searchIsNotRecorded() throws Exception {
        var sink = new RecordingAuditSink();
        fixture.start(DaemonOptions.DEFAULTS.withAuditSink(sink));

        assertThat(found(fixture.client("one"), "{\"query\":\"read\"}")).hasSize(2);

        assertThat(sink.enters()).isEmpty();
    }

    @Test
    void failuresEqualThoseOfADirectCall() throws Exception {
        fixture.start();
        var client = fixture.client("one");

        for (var name : List.of("disk__none", "none", "disk__", CALL, SEARCH)) {
            assertThat(client.call(CALL, "{\"name\":\"%s\"}".formatted(name)).json())
                    .contains("-32602", "\"Unknown tool: " + name + "\"");
        }
        assertThat(client.call("disk__read", "{}").isError()).isFalse();
    }

    @Test
    void deniedToolsAreNeitherFoundNorCalled() throws Exception {
        fixture.server("disk", server.section().replace("}", ", \"tools\": {\"deny\": [\"*_secret\"]}}"));
        fixture.bridge(ON + "\"clients\": {\"*\": {\"tools\": {\"deny\": [\"*write\"]}}}, ");
        fixture.start();
        var client = fixture.client("one");

        assertThat(found(client, "{\"query\":\"\"}")).containsExactly("disk__read", "mail__send");
        assertThat(client.call(CALL, "{\"name\":\"disk__write\"}").json()).contains("-32602", "Unknown tool");
        assertThat(client.call(CALL, "{\"name\":\"disk__read_secret\"}").json()).contains("-32602", "Unknown tool");
        assertThat(disk.calls()).isEmpty();
    }

    @Test
    void unusableArgumentsAreReportedToTheModel() throws Exception {
        fixture.start();
        var client = fixture.client("one");

        refused(client, SEARCH, "{}", "'query' must be a text");
        refused(client, SEARCH, "{\"query\":1}", "'query' is 1 but must be a text");
        refused(
                client,
                SEARCH,
                "{\"query\":\"x\",\"limit\":0}",
                "'limit' is 0 but must be a whole number from 1 to 50");
        refused(client, SEARCH, "{\"query\":\"x\",\"limit\":51}", "'limit' is 51");
        refused(client, SEARCH, "{\"query\":\"x\",\"limit\":1.5}", "'limit' is 1.5");
        refused(client, SEARCH, "{\"querry\":\"x\"}", "there is no argument 'querry'");
        refused(client, CALL, "{}", "'name' must be the name of a tool");
        refused(client, CALL, "{\"name\":\"disk__read\",\"arguments\":\"{}\"}", "'arguments' is");
        refused(client, CALL, "{\"name\":\"disk__read\",\"name\":\"mail__send\"}", "the arguments must be one object");
        assertThat(disk.calls()).isEmpty();
        assertThat(mail.calls()).isEmpty();
    }

    @Test
    void searchToolsCanBeSetPerUser() throws Exception {
        fixture.bridge("\"clients\": {\"%s\": {\"search-tools\": true}}, ".formatted(System.getProperty("user.name")));
        fixture.start();
        assertThat(fixture.client("one").toolNames()).containsExactly(SEARCH, CALL);

        fixture.bridge(
                ON + "\"clients\": {\"%s\": {\"search-tools\": false}}, ".formatted(System.getProperty("user.name")));
        fixture.running().reload(fixture.configuration());

        var client = fixture.client("two");
        assertThat(client.toolNames()).hasSize(4);
        assertThat(client.call(CALL, "{\"name\":\"disk__read\"}").json()).contains("Unknown tool: " + CALL);
        assertThat(client.call(SEARCH, "{\"query\":\"x\"}").json()).contains("Unknown tool: " + SEARCH);
    }

    @Test
    void modernClientsSearchAndCallToo() throws Exception {
        fixture.start();
        var client =
                fixture.closeLater(LineClient.connect(fixture.unixAddress()).listen());

        var list = modern(client, Methods.TOOLS_LIST, "");
        assertThat(list.json()).contains(SEARCH, CALL, "\"resultType\":\"complete\"");
        var found = modern(
                client, Methods.TOOLS_CALL, "\"name\":\"%s\",\"arguments\":{\"query\":\"mail\"},".formatted(SEARCH));
        assertThat(names(found)).containsExactly("mail__send");
        var called = modern(
                client, Methods.TOOLS_CALL, "\"name\":\"%s\",\"arguments\":{\"name\":\"mail__send\"},".formatted(CALL));
        assertThat(called.isError()).isFalse();
        assertThat(mail.calls()).containsExactly("send");
    }

    @Test
    void serverToolsCannotTakeTheReservedNames() throws Exception {
        disk.tool(SEARCH, "Finds file.").tool(CALL, "Calls file.");
        fixture.bridge(ON + "\"names\": \"plain\", ");
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly(SEARCH, CALL);
        assertThat(found(client, "{\"query\":\"file\"}")).containsExactly("read", "read_secret", "write", "send");
        assertThat(client.call(CALL, "{\"name\":\"read\"}").isError()).isFalse();
        assertThat(disk.calls()).containsExactly("read");
    }

    @Test
    void serverNamedBridgeIsRejected() throws Exception {
        fixture.unix("bridge", new ChangingTools());

        assertThatThrownBy(fixture::start)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the server 'bridge' must have another name if 'search-tools' is on");
    }

    @Test
    void mistakesInTheSettingsAreReported() {
        fixture.bridge("\"catalog\": {\"search-tools\": \"yes\", \"always-listed\": 1}, "
                + "\"clients\": {\"bob\": {\"search-tools\": 1}}, ");

        assertThatThrownBy(fixture::configuration)
                .hasMessageContaining("'bridge.catalog.search-tools'")
                .hasMessageContaining("'bridge.catalog.always-listed'")
                .hasMessageContaining("'bridge.clients.bob.search-tools'");
    }

    private static Response modern(LineClient client, String method, String members) {
        return client.answer(client.request(method, "{%s\"_meta\":{%s}}".formatted(members, META)));
    }

    private static void refused(LineClient client, String tool, String arguments, String words) {
        assertThat(client.call(tool, arguments).json()).contains("\"isError\":true", words);
    }

    private static List<String> found(LineClient client, String arguments) {
        return names(client.call(SEARCH, arguments));
    }

    private static List<String> names(Response answer) {
        var tools = Json.parse(answer.raw(MessageField.STRUCTURED_CONTENT).orElseThrow())
                .asMap()
                .get("tools");
        return ((List<?>) Objects.requireNonNull(tools))
                .stream()
                        .map(tool -> String.valueOf(((Map<?, ?>) Objects.requireNonNull(tool)).get("name")))
                        .toList();
    }
}
