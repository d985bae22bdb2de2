package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.ServerHealth;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.gateway.HostileServer.Way;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.tool.ToolDefinition;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** K6: whatever a server lists, its readable elements and the other servers stay available. */
@Timeout(60)
class HostileListsTest {
    private static final String GOOD = "{ \"name\" : \"%s\", \"inputSchema\":{\"type\":\"object\"},\"own\":1.0}";
    private static final String DEEP = "[".repeat(97) + "]".repeat(97);

    private final DaemonFixture fixture;

    HostileListsTest() throws Exception {
        fixture = new DaemonFixture();
        fixture.unix("calm", new ToolScript("calm", "echo"));
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @ParameterizedTest(name = "K6: over {0}")
    @EnumSource
    void k6OnlyTheMalformedToolIsOmitted(Way way) throws Exception {
        server("hostile", way)
                .lists(
                        Methods.TOOLS_LIST,
                        list(
                                good("first"),
                                tool("twice", "\"description\":\"a\",\"description\":\"b\""),
                                tool("within", "\"annotations\":{\"title\":\"a\",\"title\":\"b\"}"),
                                tool("half", "\"description\":\"\\ud800\""),
                                "7",
                                good("last")));
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly("calm__echo", "hostile__first", "hostile__last");
        assertThat(client.answer(client.request(Methods.TOOLS_LIST, "{}")).json())
                .contains("{\"name\":\"hostile__last\",\"inputSchema\":{\"type\":\"object\"},\"own\":1.0}");
        assertThat(reading().value()).isEqualTo(4);
        assertThat(reading().words())
                .contains(
                        "'twice' (",
                        "the key 'description' stands there twice",
                        "'within' (",
                        "'half' ('description' writes a surrogate that stands alone",
                        "'(no. 5 of the list)' (");
        assertThat(client.call("hostile__half", "{}").json())
                .contains("-32602", "server 'hostile' lists it, but it is not usable: 'description' writes");
        assertThat(client.call("hostile__first", "{}").isError()).isFalse();
        assertThat(client.call("calm__echo", "{}").isError()).isFalse();
    }

    @ParameterizedTest(name = "K6: {0} affects its list only")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "a list that is not closed | {\"jsonrpc\":\"2.0\",\"id\":@id,\"result\":{\"tools\":[{\"name\":\"a\"}}"
                        + " | ',' or ']'",
                "a list that stands twice | {\"jsonrpc\":\"2.0\",\"id\":@id,\"result\":{\"tools\":[],\"tools\":[]}} |"
                        + " The key 'tools' at byte",
                "a byte order mark | \u00ef\u00bb\u00bf{\"jsonrpc\":\"2.0\",\"id\":@id,\"result\":{\"tools\":[]}} |"
                        + " without a byte order mark",
                "no list | {\"jsonrpc\":\"2.0\",\"id\":@id,\"result\":{}} | in its answer 'tools' is missing but must"
                        + " be an array",
                "a list that is none | {\"jsonrpc\":\"2.0\",\"id\":@id,\"result\":{\"tools\":{}}} | in its answer"
                        + " 'tools' is {} but must",
                "no object | {\"jsonrpc\":\"2.0\",\"id\":@id,\"result\":[]} | with the result [], which must be an"
                        + " object",
            })
    void k6MalformedFrameAffectsItsListOnly(String what, String answer, String why) throws Exception {
        server("line", Way.UNIX).lists(Methods.TOOLS_LIST, answer);
        server("post", Way.HTTP).lists(Methods.TOOLS_LIST, answer);
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).as(what).containsExactly("calm__echo");
        for (var name : List.of("line", "post")) {
            assertThat(condition(name).error()).contains("its tools are missing from the list:", why);
        }
        assertThat(client.call("calm__echo", "{}").isError()).isFalse();
    }

    @ParameterizedTest(name = "K6: {0} bytes")
    @ValueSource(ints = {300, 16_000_000})
    void k6ListOfMalformedItemsAffectsItsListOnly(int bytes) throws Exception {
        var answer = "{\"jsonrpc\":\"2.0\",\"id\":@id,\"result\":{\"tools\":[x" + ",x".repeat(bytes / 2) + "]}}";
        server("line", Way.UNIX).lists(Methods.TOOLS_LIST, answer);
        server("post", Way.HTTP).lists(Methods.TOOLS_LIST, answer);
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly("calm__echo");
        for (var name : List.of("line", "post")) {
            assertThat(condition(name).error()).contains("its tools are missing from the list:", "Found 'x,x,");
        }
        assertThat(client.call("calm__echo", "{}").isError()).isFalse();
    }

    @Test
    void k6ToolWithAnInvalidNameIsOmitted() throws Exception {
        server("hostile", Way.UNIX)
                .lists(
                        Methods.TOOLS_LIST,
                        list(
                                good("a.b-C_1"),
                                good("no good"),
                                good("a/b"),
                                good("caf\u00c3\u00a9"),
                                good("x".repeat(129)),
                                good("y\\u0007")));
        fixture.bridge("\"catalog\": {\"search-tools\": true, \"always-listed\": [\"*\"]}, ")
                .start();
        var client = fixture.client("one");

        assertThat(client.toolNames())
                .containsExactly("bridge__search_tools", "bridge__call_tool", "calm__echo", "hostile__a.b-C_1");
        assertThat(reading().value()).isEqualTo(5);
        assertThat(reading().words())
                .contains("tool 'no good' ('name' is \"no good\" but must be [A-Za-z0-9_.-]{1,128})", "tool 'a/b' (");
        assertThat(client.call("bridge__search_tools", "{\"query\":\"\",\"server\":\"hostile\"}")
                        .json())
                .contains("\"found\":1}");
        assertThat(client.call("bridge__call_tool", "{\"name\":\"hostile__a/b\"}")
                        .json())
                .contains("-32602");
        try (var bridge = Bridge.open(fixture.configuration(), BridgeOptions.DEFAULTS)) {
            assertThat(bridge.listTools("hostile").stream().map(ToolDefinition::name))
                    .as("what 'lock' compares")
                    .containsExactly("a.b-C_1");
        }
    }

    @Test
    void k6OnlyMalformedPromptsAndResourcesAreOmitted() throws Exception {
        var server = server("hostile", Way.UNIX);
        server.lists(Methods.TOOLS_LIST, list(good("fine"), tool("bad", "\"title\":7")));
        server.lists(
                Methods.PROMPTS_LIST,
                listOf(
                        "prompts",
                        "{\"name\":\"p\",\"title\":null}",
                        "{\"title\":\"x\"}",
                        "{\"name\":\"q\",\"title\":7}"));
        server.lists(
                Methods.RESOURCES_LIST,
                listOf(
                        "resources",
                        "{\"uri\":\"a:1\",\"name\":\"r\"}",
                        "{\"uri\":\"a:2\"}",
                        "{\"uri\":7,\"name\":\"r\"}"));
        server.lists(
                Methods.RESOURCES_TEMPLATES_LIST,
                listOf("resourceTemplates", "{\"uriTemplate\":\"b:{x}\",\"name\":\"t\"}", "{\"name\":\"t\"}"));
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly("calm__echo", "hostile__fine");
        assertThat(result(client, Methods.PROMPTS_LIST)).contains("{\"prompts\":[{\"name\":\"hostile__p\"}]}");
        assertThat(result(client, Methods.RESOURCES_LIST))
                .contains("{\"resources\":[{\"uri\":\"a:1\",\"name\":\"r\"}]}");
        assertThat(result(client, Methods.RESOURCES_TEMPLATES_LIST))
                .contains("{\"resourceTemplates\":[{\"uriTemplate\":\"b:{x}\",\"name\":\"t\"}]}");
        assertThat(reading().value()).isEqualTo(6);
        assertThat(reading().words())
                .startsWith("cannot be used and not listed: tool 'bad' ('title' is 7 but must be a text), ")
                .contains(
                        "resource template '(no. 2 of the list)' (",
                        "resource 'a:2' ('name' is missing but must be a text)",
                        "resource '(no. 3 of the list)' (",
                        "prompt '(no. 2 of the list)' (",
                        "prompt 'q' ('title' is 7 but must be a text)");
    }

    @ParameterizedTest(name = "K6: {0} discards the whole list")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "depth 101 | \"x\":DEEP | The message nests 101 deep; the limit maxDepth is 100",
                "bytes that are not UTF-8 | \"title\":\"\u00ff\u00fe\" | which is not UTF-8",
                "an unknown escape | \"title\":\"a\\x\" | one of its escapes",
                "a lone surrogate in a key | \"\\udc00\":1 | free of surrogates",
                "a surrogate in UTF-8 | \"title\":\"\u00ed\u00a0\u0080\" | which is not UTF-8",
                "a byte order mark | \u00ef\u00bb\u00bf\"title\":\"t\" | where JSON has a key in double quotes",
                "a number without an end | \"x\":1e | a digit",
            })
    void k6ToolThatIsNotJsonAffectsItsListOnly(String what, String members, String why) throws Exception {
        var broken = tool("broken", members.replace("DEEP", DEEP));
        server("hostile", Way.UNIX).lists(Methods.TOOLS_LIST, list(good("first"), broken, good("last")));
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).as(what).containsExactly("calm__echo");
        assertThat(condition("hostile").state()).isEqualTo("degraded");
        assertThat(condition("hostile").error()).contains("its tools are missing from the list:", why);
        assertThat(client.call("calm__echo", "{}").isError()).isFalse();
    }

    @Test
    void k6OversizedDescriptionOmitsItsToolOnly() throws Exception {
        server("hostile", Way.UNIX).lists(Methods.TOOLS_LIST, list(good("first"), longTool(), good("last")));
        fixture.start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly("calm__echo", "hostile__first", "hostile__last");
        assertThat(reading().words()).contains("tool 'long' (it has 5000", "more than 'list-bytes' (4194304) allows");
        assertThat(client.call("hostile__last", "{}").isError()).isFalse();
        assertThat(client.call("calm__echo", "{}").isError()).isFalse();
    }

    @Test
    void k6OversizedDescriptionIsListedIfTheLimitAllowsIt() throws Exception {
        var server = server("hostile", Way.UNIX);
        server.lists(Methods.TOOLS_LIST, list(good("first"), longTool()));
        fixture.server("hostile", server.section().replace("}", ", \"list-bytes\": \"16MB\"}"))
                .start();
        var client = fixture.client("one");

        assertThat(client.toolNames()).containsExactly("calm__echo", "hostile__first");
        var page = client.answer(client.request(Methods.TOOLS_LIST, "{}"));
        var cursor = page.raw(MessageField.NEXT_CURSOR).orElseThrow();
        var rest = client.answer(client.request(Methods.TOOLS_LIST, "{\"cursor\":%s}".formatted(cursor)));

        assertThat(rest.json()).contains("\"hostile__long\"", "d".repeat(5_000_000));
        assertThat(client.call("hostile__long", "{}").isError()).isFalse();
        assertThat(client.call("calm__echo", "{}").isError()).isFalse();
    }

    private static String longTool() {
        return tool("long", "\"description\":\"%s\"".formatted("d".repeat(5_000_000)));
    }

    @Test
    void k6HealthOfABridgeShowsListErrors() throws Exception {
        var server = server("hostile", Way.HTTP);
        server.lists(Methods.TOOLS_LIST, list(good("first"), good("no good")));
        server.lists(Methods.PROMPTS_LIST, "{\"jsonrpc\":\"2.0\",\"id\":@id,\"result\":{}}");
        try (var bridge = Bridge.open(fixture.configuration(), BridgeOptions.DEFAULTS)) {
            bridge.listTools("hostile");
            var before = bridge.checkHealth("hostile");
            assertThatThrownBy(() -> bridge.server("hostile").listPrompts())
                    .hasMessageContaining("'prompts' is missing");

            assertThat(before.isHealthy()).isTrue();
            assertThat(before.readings())
                    .anySatisfy(reading -> assertThat(reading)
                            .isEqualTo(new GaugeReading(
                                    "catalog.left-out",
                                    1,
                                    "cannot be used and not listed: tool 'no good' ('name' is \"no good\" but must be"
                                            + " [A-Za-z0-9_.-]{1,128})")));
            assertThat(bridge.checkHealth("hostile").status()).isEqualTo(ServerHealth.Status.DEGRADED);
            assertThat(bridge.checkAllHealth().values())
                    .extracting(ServerHealth::error)
                    .anyMatch(error -> error.contains("its prompts are missing from the list")
                            && error.contains("'prompts' is missing but must be an array"));
            assertThat(bridge.checkHealth("calm").isHealthy()).isTrue();
        }
    }

    private static Optional<String> result(LineClient client, String method) {
        return client.answer(client.request(method, "{}")).raw(MessageField.RESULT);
    }

    private HostileServer server(String name, Way way) throws Exception {
        var server = fixture.closeLater(new HostileServer(way, fixture.folder.resolve(name)));
        fixture.server(name, server.section());
        return server;
    }

    private ManagedServerStatus condition(String server) {
        return fixture.running().servers().stream()
                .filter(each -> each.name().equals(server))
                .findFirst()
                .orElseThrow();
    }

    private GaugeReading reading() {
        return condition("hostile").readings().stream()
                .filter(each -> each.name().equals("catalog.left-out"))
                .findFirst()
                .orElseThrow();
    }

    private static String list(String... tools) {
        return listOf("tools", tools);
    }

    private static String listOf(String member, String... elements) {
        return "{\"jsonrpc\":\"2.0\",\"id\":@id,\"result\":{\"%s\":[%s]}}"
                .formatted(member, String.join(",", elements));
    }

    private static String good(String name) {
        return GOOD.formatted(name);
    }

    private static String tool(String name, String members) {
        return "{\"name\":\"%s\",\"inputSchema\":{\"type\":\"object\"},%s}".formatted(name, members);
    }
}
