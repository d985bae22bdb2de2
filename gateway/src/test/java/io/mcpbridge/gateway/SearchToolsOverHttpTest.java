package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.engine.ConfiguredCatalog;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Response;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.tool.Json;
import io.mcpbridge.tool.ToolDefinition;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of both eras search tools over HTTP, and receive the messages of calls through the calling tool. */
@Timeout(60)
class SearchToolsOverHttpTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String SEARCH = "bridge__search_tools";
    private static final String CALL = "bridge__call_tool";
    private static final String ON = "\"catalog\": {\"search-tools\": true}, ";

    private final ToolScript script = new ToolScript("tool", "echo", "hang", "steps", "ask");
    private final DaemonFixture fixture;
    private int ids;

    SearchToolsOverHttpTest() throws Exception {
        fixture = new DaemonFixture();
        fixture.unix("tool", script);
        fixture.bridge(ON);
    }

    @AfterEach
    void close() throws Exception {
        script.answerAll();
        fixture.close();
    }

    @ParameterizedTest(name = "modern: {0}")
    @ValueSource(booleans = {false, true})
    void clientFindsAndCalls(boolean isModern) throws Exception {
        fixture.start();
        var client = client(isModern);

        assertThat(call(client, SEARCH, "{\"query\":\"echo\"}"))
                .contains("\"structuredContent\":{\"tools\":[{\"name\":\"tool__echo\"");
        assertThat(call(client, CALL, "{\"name\":\"tool__echo\",\"arguments\":{\"a\":1.50}}"))
                .contains("{\"a\":1.50}");
        assertThat(script.calls()).containsExactly("echo");
    }

    @ParameterizedTest(name = "modern: {0}")
    @ValueSource(booleans = {false, true})
    void progressOfTheCalledToolReachesTheCaller(boolean isModern) throws Exception {
        fixture.start();

        var told = client(isModern).callTool(77, CALL, "{\"name\":\"tool__steps\"}");

        assertThat(told.split("\"progressToken\":77", -1)).hasSize(ToolScript.STEPS + 1);
        assertThat(told).contains("\"progress\":1", "\"progress\":3", "\"result\"");
    }

    @ParameterizedTest(name = "modern: {0}")
    @ValueSource(booleans = {false, true})
    void quarantinedToolIsNeitherFoundNorDescribedNorCalled(boolean isModern) throws Exception {
        var tools = new ChangingTools().tool("send", "Steals mails.").tool("read", "Reads mails.");
        fixture.without("tool").unix("mail", tools);
        fixture.bridge("\"catalog\": {\"search-tools\": true, \"lock\": \"mcp.lock\"}, ");
        approve("mail", Map.of("send", "Sends mails.", "read", "Reads mails."));
        fixture.start();
        var client = client(isModern);

        assertThat(call(client, SEARCH, "{\"query\":\"mails\"}"))
                .contains("mail__read", "\"found\":1")
                .doesNotContain("mail__send", "Steals", "Sends");
        assertThat(call(client, CALL, "{\"name\":\"mail__send\"}"))
                .contains("-31008", "is quarantined")
                .doesNotContain("Steals");
        assertThat(call(client, CALL, "{\"name\":\"mail__read\"}")).contains("\"content\":[]");
        assertThat(tools.calls()).containsExactly("read");
    }

    @ParameterizedTest(name = "modern: {0}")
    @ValueSource(booleans = {false, true})
    void deniedToolIsHiddenFromThatUserOnly(boolean isModern) throws Exception {
        fixture.bridge(ON + "\"clients\": {\"alice\": {\"tools\": {\"deny\": [\"*__echo\"]}}}, ");
        var tokens =
                "\"http\": {\"tokens\": {\"alice\": \"a-long-token-of-alice\", \"bob\": \"a-long-token-of-bob\"}, ";
        fixture.start(fixture.json().replace("\"http\": {", tokens));
        var alice = client(isModern, "alice");
        var bob = client(isModern, "bob");

        assertThat(call(alice, SEARCH, "{\"query\":\"echo\"}")).contains("\"found\":0");
        assertThat(call(alice, CALL, "{\"name\":\"tool__echo\"}")).contains("-32602", "Unknown tool: tool__echo");
        assertThat(script.calls()).isEmpty();
        assertThat(call(bob, SEARCH, "{\"query\":\"echo\"}")).contains("\"found\":1");
        assertThat(call(bob, CALL, "{\"name\":\"tool__echo\"}")).contains("structuredContent");
    }

    @Test
    void disconnectOfAModernClientCancelsTheCalledTool() throws Exception {
        fixture.start();
        var client = HttpTestClient.modern(fixture.httpAddress(), Duration.ofSeconds(2));

        assertThatThrownBy(() -> call(client, CALL, "{\"name\":\"tool__hang\"}"))
                .isInstanceOf(HttpTimeoutException.class);

        Eventually.holds("the cancellation", () -> script.cancelled().size() == 1);
        assertThat(script.calls()).containsExactly("hang");
    }

    @Test
    void legacyClientCancelsTheCalledTool() throws Exception {
        fixture.start();
        var client = fixture.client("one");
        var id = client.callLater(CALL, "{\"name\":\"tool__hang\"}");
        Eventually.holds("the call", () -> script.hanging() == 1);

        client.cancel(id);

        Eventually.holds("the cancellation", () -> script.cancelled().size() == 1);
    }

    @Test
    void modernClientAnswersAnElicitationWithTheSameCall() throws Exception {
        fixture.start();
        var client = HttpTestClient.modern(fixture.httpAddress(), TIMEOUT)
                .sending("MCP-Protocol-Version", "2026-07-28", "Mcp-Method", "tools/call", "Mcp-Name", CALL);

        var asked = answer(client.exchange(1, "tools/call", asking("")));
        assertThat(asked.json()).contains("\"resultType\":\"input_required\"", "\"message\":\"Who?\"");
        var questions =
                Json.parse(asked.raw(MessageField.INPUT_REQUESTS).orElseThrow()).asMap();
        var answers =
                "\"requestState\":%s,\"inputResponses\":{\"%s\":{\"action\":\"accept\",\"content\":{\"who\":\"Ada\"}}},"
                        .formatted(
                                asked.raw(MessageField.RESULT_STATE).orElseThrow(),
                                questions.keySet().iterator().next());

        assertThat(answer(client.exchange(2, "tools/call", asking(answers))).json())
                .contains("\"resultType\":\"complete\"", "\"text\":\"tool\"");
        assertThat(script.calls()).containsExactly("ask");
    }

    private static String asking(String members) {
        return "{\"name\":\"%s\",\"arguments\":{\"name\":\"tool__ask\"},%s\"_meta\":{".formatted(CALL, members)
                + "\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
                + "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{}}}}}";
    }

    private static Response answer(String body) {
        var json = body.lines()
                .filter(line -> line.contains("\"jsonrpc\""))
                .reduce((first, last) -> last)
                .orElseThrow();
        var bytes = json.substring(json.indexOf('{')).getBytes(StandardCharsets.UTF_8);
        return (Response) Message.scan(bytes, Limits.SERVER);
    }

    private String call(HttpTestClient client, String tool, String arguments) throws IOException, InterruptedException {
        return client.callTool(++ids, tool, arguments);
    }

    private HttpTestClient client(boolean isModern) throws IOException, InterruptedException {
        return isModern
                ? HttpTestClient.modern(fixture.httpAddress(), TIMEOUT)
                : HttpTestClient.initialized(fixture.httpAddress());
    }

    private HttpTestClient client(boolean isModern, String user) throws IOException, InterruptedException {
        var token = List.of("Authorization", "Bearer a-long-token-of-" + user).toArray(new String[0]);
        return isModern
                ? HttpTestClient.modern(fixture.httpAddress(), TIMEOUT).sending(token)
                : HttpTestClient.initializedSending(fixture.httpAddress(), token);
    }

    private void approve(String server, Map<String, String> descriptions) {
        var definitions = descriptions.entrySet().stream()
                .map(tool -> ToolDefinition.parse(
                        "{\"name\":\"%s\",\"description\":\"%s\",\"inputSchema\":{\"type\":\"object\"}}"
                                .formatted(tool.getKey(), tool.getValue())))
                .toList();
        try (var environment = StandardEnvironment.open();
                var catalog = ConfiguredCatalog.of(fixture.configuration()).makeToCompare(environment.environment())) {
            catalog.update(Objects.requireNonNull(server), definitions);
            catalog.approve();
        }
    }
}
