package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.message.Limits;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Request;
import io.mcpbridge.spi.BridgeLimits;
import io.mcpbridge.spi.ByteBudget;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingLogger;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Configured limits: the value itself is accepted, one more is rejected, and the error names the limit. */
@Timeout(60)
class DaemonLimitsTest {
    private static final int FRAME = 4096;
    private static final String FRAMES = "\"limits\": {\"client-frame\": \"4KiB\", \"server-frame\": \"4KiB\"}, ";

    private final DaemonFixture fixture;

    DaemonLimitsTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void clientFrameLimitAppliesToUnixSockets() throws Exception {
        fixture.bridge(FRAMES).start();
        var client = fixture.client("exact");

        client.send(pingOf(FRAME) + "\n");

        assertThat(client.answer(MessageId.of(99)).isError()).isFalse();
    }

    @Test
    void clientFrameAboveTheLimitClosesTheConnection() throws Exception {
        fixture.bridge(FRAMES).start();
        var client = fixture.client("greedy");

        client.send(pingOf(FRAME + 1) + "\n");

        Eventually.holds("the end of the connection", client::isOver);
        assertThat(client.others()).anyMatch(said -> said.json().contains("the limit client-frame is 4096"));
    }

    @Test
    void clientFrameLimitAppliesToHttp() throws Exception {
        fixture.bridge(FRAMES).start();

        assertThat(post(pingOf(FRAME)).statusCode()).isEqualTo(400);
        var refused = post(pingOf(FRAME + 1));

        assertThat(refused.statusCode()).isEqualTo(413);
        assertThat(refused.body()).contains("larger than 4096 bytes", "'client-frame'");
    }

    @ParameterizedTest(name = "over {0}")
    @ValueSource(strings = {"unix", "http", "stdio"})
    void serverFrameLimitAppliesToAllTransports(String transport) throws Exception {
        server(transport);
        fixture.bridge(FRAMES + "\"retry\": {\"policy\": \"none\"}, ").start();
        var client = fixture.client("client");

        var exact = client.call("tool__sized", "{\"bytes\": 4096}");
        var larger = client.call("tool__sized", "{\"bytes\": 4097}");

        assertThat(exact.isError()).isFalse();
        assertThat(larger.json()).contains("error", "server-frame", "4096");
    }

    @Test
    void queueLimitAppliesPerServer() throws Exception {
        var script = new ToolScript("tool", "echo").holdingHandshakes();
        fixture.unix("tool", script);
        fixture.bridge("\"limits\": {\"queue\": 2}, \"retry\": {\"policy\": \"none\"}, ")
                .start();
        var client = fixture.client("client");
        var first = client.callLater("tool__echo", "{}");
        var second = client.callLater("tool__echo", "{}");

        var third = client.call("tool__echo", "{}");

        assertThat(third.json())
                .contains(
                        "-31006",
                        "2 calls wait for server 'tool' already, which is the limit 'limits.queue'",
                        "not_sent");
        Eventually.holds("the handshake", script::answerOne);
        assertThat(client.answer(first).isError()).isFalse();
        assertThat(client.answer(second).isError()).isFalse();
    }

    @Test
    void callThatTimesOutInTheHandshakeSaysSo() throws Exception {
        fixture.unix("tool", new ToolScript("tool", "echo").holdingHandshakes());
        fixture.start();
        var client = fixture.client("client");

        var answer = client.answer(
                client.request("tools/call", "{\"name\":\"tool__echo\",\"_meta\":{\"io.mcpbridge/timeoutMs\":200}}"));

        assertThat(answer.json()).contains("server 'tool' has not ended its handshake", "within 200 ms");
    }

    @Test
    void callBeyondTheLimitOfItsUserIsLogged() throws Exception {
        var log = new RecordingLogger();
        fixture.unix("tool", new ToolScript("tool", "echo").holdingHandshakes());
        fixture.bridge("\"limits\": {\"in-flight\": 1}, ")
                .start(DaemonOptions.DEFAULTS.withEnvironment(fixture.logging(log)));
        var client = fixture.client("client");
        client.callLater("tool__echo", "{}");

        client.call("tool__echo", "{}");

        assertThat(log.lines())
                .anyMatch(line ->
                        line.startsWith("[mcp-bridge] Tool call failed and is not tried again: tool.echo: 1 calls"
                                + " are in flight already"));
    }

    @Test
    void outboundByteBudgetIsSharedByAllListeners() throws Exception {
        fixture.unix("tool", new ToolScript("tool", "big"));
        var budget = ByteBudget.of(5 << 19);
        var owned = StandardEnvironment.open();
        fixture.closeLater(owned::close);
        var environment = owned.environment()
                .withLimits(new BridgeLimits(Limits.CLIENT, Limits.SERVER, 1_024, 64, 1_024, 1_024, budget));
        fixture.start(DaemonOptions.DEFAULTS.withEnvironment(environment));
        var http = HttpTestClient.initialized(fixture.httpAddress());
        var deaf = fixture.closeLater(LineClient.connect(fixture.unixAddress()));
        deaf.send("{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"method\":\"initialize\",\"params\":{}}\n");

        deaf.callLater("tool__big", "{}");
        Eventually.holds("an answer to wait", () -> budget.used() > 1 << 20);
        assertThat(http.call("tool__big", "{}")).contains("structuredContent");
        deaf.callLater("tool__big", "{}");
        Eventually.holds("two answers to wait", () -> budget.used() > 2 << 20);
        assertThatThrownBy(() -> http.call("tool__big", "{}")).isInstanceOf(IOException.class);
        deaf.close();

        Eventually.holds("nothing to wait", () -> budget.used() == 0);
        assertThat(http.call("tool__big", "{}")).contains("structuredContent");
    }

    private void server(String transport) throws IOException {
        switch (transport) {
            case "unix" -> fixture.unix("tool", new ToolScript("tool", "sized"));
            case "http" -> fixture.http("tool", new ToolScript("tool", "sized"));
            default -> fixture.child("tool", "sized");
        }
    }

    private static String pingOf(int bytes) {
        var empty =
                Request.of(MessageId.of(99), Methods.PING, "{\"text\":\"\"}").length();
        return Request.of(MessageId.of(99), Methods.PING, "{\"text\":\"" + "x".repeat(bytes - empty) + "\"}")
                .json();
    }

    private HttpResponse<String> post(String body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(fixture.httpAddress())
                .header("Content-Type", "application/json")
                .header("Accept", "application/json, text/event-stream")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
    }
}
