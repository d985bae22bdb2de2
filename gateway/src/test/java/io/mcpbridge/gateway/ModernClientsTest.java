package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Methods;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.net.URI;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients of the modern era in front of a daemon, over HTTP and a Unix socket, byte by byte. */
@Timeout(60)
class ModernClientsTest {
    private static final String LISTEN = "\"notifications\":{\"toolsListChanged\":true},";
    private static final String COMPLETE = "\"resultType\":\"complete\"";

    private final ToolScript script = new ToolScript("tool", "echo", "hang", "steps");
    private final DaemonFixture fixture;

    ModernClientsTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @BeforeEach
    void start() throws Exception {
        fixture.unix("tool", script);
        fixture.unix("other", new ToolScript("other", "echo"));
        fixture.start();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void discoverListAndCall() throws IOException {
        var discovered = answered(Methods.SERVER_DISCOVER, "", "");
        var listed = answered(Methods.TOOLS_LIST, "", "");
        var called = answered(Methods.TOOLS_CALL, "tool__echo", "\"name\":\"tool__echo\",\"arguments\":{\"a\":1.50},");

        assertThat(discovered)
                .startsWith("HTTP/1.1 200 OK\r\ncontent-type: application/json")
                .contains("\"supportedVersions\":[\"2026-07-28\"]", COMPLETE);
        assertThat(listed).contains("\"name\":\"tool__echo\"", "\"ttlMs\":0", "\"cacheScope\":\"private\"", COMPLETE);
        assertThat(called).contains("\"id\":1", "{\"a\":1.50}", COMPLETE).doesNotContain("Mcp-Session-Id");
    }

    @Test
    void messagesBeforeTheAnswerAreStreamed() throws IOException {
        var called = answered(Methods.TOOLS_CALL, "tool__steps", "\"name\":\"tool__steps\",");

        assertThat(called)
                .contains(
                        "content-type: text/event-stream",
                        "x-accel-buffering: no",
                        "\"progressToken\":\"p\"",
                        COMPLETE);
    }

    @Test
    void disconnectCancelsTheCall() throws IOException {
        var call = RawHttp.modern(web(), Methods.TOOLS_CALL, "tool__hang", "\"name\":\"tool__hang\",");
        Eventually.holds("the call to arrive", () -> script.hanging() == 1);

        call.close();

        Eventually.holds("the call to be withdrawn", () -> script.cancelled().size() == 1);
    }

    static Stream<Arguments> refused() {
        var list = RawHttp.body("tools/list", "");
        return Stream.of(
                Arguments.argumentSet("an id that is null", "tools/list", list.replace(":1,", ":null,"), 400, -32600),
                Arguments.argumentSet("a fraction", "tools/list", list.replace(":1,", ":1.5,"), 400, -32600),
                Arguments.argumentSet("an object", "tools/list", list.replace(":1,", ":{},"), 400, -32600),
                Arguments.argumentSet(
                        "a huge id", "tools/list", list.replace(":1,", ":\"" + "x".repeat(500) + "\","), 400, -32600),
                Arguments.argumentSet("a batch", "tools/list", "[" + list + "]", 400, -32600),
                Arguments.argumentSet("two at once", "tools/list", list + list, 400, -32600),
                Arguments.argumentSet("no such method", "no/such", RawHttp.body("no/such", ""), 404, -32601),
                Arguments.argumentSet("a method of old", "initialize", RawHttp.body("initialize", ""), 404, -32601),
                Arguments.argumentSet(
                        "no claim",
                        "tools/list",
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
                        400,
                        -32602),
                Arguments.argumentSet(
                        "no capabilities", "tools/list", list.replace("clientCapabilities", "x"), 400, -32602),
                Arguments.argumentSet("another revision", "tools/list", list.replace("07-28", "07-29"), 400, -32020),
                Arguments.argumentSet("another method", "prompts/list", list, 400, -32020),
                Arguments.argumentSet(
                        "no name", "tools/call", RawHttp.body("tools/call", "\"name\":\"a\","), 400, -32020));
    }

    @ParameterizedTest
    @MethodSource("refused")
    void invalidRequestHasItsStatusAndCode(String method, String body, int status, int code) throws IOException {
        try (var wrong = RawHttp.post(web(), RawHttp.headers(method), body)) {
            var answer = wrong.all();

            assertThat(answer).startsWith("HTTP/1.1 " + status + " ").contains("\"code\":" + code);
            assertThat(answer).doesNotContain("\"id\":null");
        }
    }

    @Test
    void unsupportedRevisionIsAnsweredWithTheSupportedOnes() throws IOException {
        var body = RawHttp.body("tools/list", "").replace("2026-07-28", "2027-07-28");
        var headers = RawHttp.headers("tools/list").replace("2026-07-28", "2027-07-28");

        try (var wrong = RawHttp.post(web(), headers, body)) {
            assertThat(wrong.all())
                    .startsWith("HTTP/1.1 400 ")
                    .contains("-32022", "\"supported\":[\"2026-07-28\"],\"requested\":\"2027-07-28\"");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "DELETE", "OPTIONS", "TRACE", "PUT"})
    void onlyPostIsAllowed(String verb) throws IOException {
        try (var wrong =
                RawHttp.send(web(), verb, "MCP-Protocol-Version: 2026-07-28\r\nOrigin: http://localhost\r\n")) {
            assertThat(wrong.all()).startsWith("HTTP/1.1 405 ").doesNotContainIgnoringCase("access-control");
        }
    }

    @Test
    void listeningClientReceivesChangesAndTheEndOfTheStream() throws Exception {
        try (var listening = RawHttp.modern(web(), Methods.SUBSCRIPTIONS_LISTEN, "", LISTEN)) {
            listening.await("\"notifications\":{\"toolsListChanged\":true}");

            fixture.http("web", new ToolScript("web", "echo"));
            fixture.running().reload(fixture.configuration());
            listening.await("notifications/tools/list_changed");
            fixture.running().drain();

            assertThat(listening.all())
                    .contains("content-type: text/event-stream", "\"io.modelcontextprotocol/subscriptionId\":1")
                    .contains("\"id\":1,\"result\":{", COMPLETE);
        }
    }

    @Test
    void listeningClientIsShownButIsNotAPendingCall() throws IOException {
        try (var listening = RawHttp.modern(web(), Methods.SUBSCRIPTIONS_LISTEN, "", LISTEN)) {
            listening.await("acknowledged");

            assertThat(fixture.running().clients())
                    .singleElement()
                    .satisfies(client -> assertThat(client.era()).isEqualTo("modern"));
            assertThat(fixture.running().health().callsInFlight()).isZero();
        }

        Eventually.holds(
                "the client to be forgotten", () -> fixture.running().clients().isEmpty());
    }

    @Test
    void bothErasMayShareOneConnection() throws IOException {
        var client = fixture.client("both");
        client.send(RawHttp.body(Methods.SUBSCRIPTIONS_LISTEN, LISTEN).replace("\"id\":1", "\"id\":\"l\"") + "\n");
        Eventually.holds("the acknowledgement", () -> client.count(Methods.SUBSCRIPTIONS_ACKNOWLEDGED) == 1);

        assertThat(client.call("tool__echo", "{}").json()).doesNotContain("resultType");

        client.halfClose();
        Eventually.holds("the connection to end", client::isOver);
    }

    private String answered(String method, String name, String params) throws IOException {
        try (var request = RawHttp.modern(web(), method, name, params)) {
            return request.all();
        }
    }

    private URI web() {
        return fixture.httpAddress();
    }
}
