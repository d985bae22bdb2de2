package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.testkit.LeakCheck;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** All kinds of malformed input at once: a correct client is not affected, and nothing is leaked. */
@Timeout(90)
class BadInputTest {
    private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

    private static final List<String> LINES = List.of(
            "{nonsense\n",
            "\u0000\n",
            "[".repeat(100_000) + "\n",
            PING + PING + "\n",
            "[" + PING + "]\n",
            PING.replace("1,", "null,") + "\n",
            PING.replace("ping", "no/such") + "\n",
            PING.replace("ping", "tools/call") + "\n",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n",
            PING.substring(0, 20),
            "",
            "x".repeat(5 << 20));

    /** Header lines and a body. */
    private static final List<List<String>> REQUESTS = List.of(
            List.of("Origin: https://evil.example\r\n", PING),
            List.of("Content-Length: +4\r\n", PING),
            List.of("Transfer-Encoding: chunked\r\n", PING),
            List.of("X-A: 1\rX-B: 2\r\n", PING),
            List.of("X-A: " + "x".repeat(20_000) + "\r\n", PING),
            List.of("Mcp-Session-Id: none\r\n", PING),
            List.of("MCP-Protocol-Version: 1999-01-01\r\n", PING),
            List.of("", "{nonsense"));

    private final DaemonFixture fixture;

    BadInputTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void correctClientIsUnaffectedAndNothingLeaks() throws Exception {
        fixture.unix("tool", new ToolScript("tool", "echo", "crash"));
        fixture.unix("other", new ToolScript("other", "echo", "crash"));
        fixture.server("missing", "{\"command\": \"/no/such/program\"}");
        fixture.server("ends", "{\"command\": \"sh\", \"args\": [\"-c\", \"echo noise; echo why >&2; exit 3\"]}");
        fixture.server("gone", "{\"path\": \"%s\"}".formatted(fixture.folder.resolve("gone.sock")));
        // The first time loads classes, and with them files that stay open.
        startAbuseAndDrain();
        var residue = LeakCheck.now();

        startAbuseAndDrain();

        residue.assertNothingLeftNorOpen();
    }

    private void startAbuseAndDrain() throws Exception {
        var daemon = fixture.start();
        try (var good = LineClient.initialized(fixture.unixAddress(), "good")) {
            for (var line : LINES) {
                say(line);
                assertEchoes(good);
            }
            for (var request : REQUESTS) {
                try (var http = RawHttp.post(fixture.httpAddress(), request.get(0), request.get(1))) {
                    assertThat(http.await("HTTP/1.1 ")).doesNotContain("HTTP/1.1 2", "HTTP/1.1 5");
                }
                assertEchoes(good);
            }
            for (var tool : List.of("missing__a", "ends__a", "gone__a", "other__crash")) {
                assertThat(good.call(tool, "{}").isError()).isTrue();
                assertEchoes(good);
            }
            assertThatThrownBy(() ->
                            daemon.reload(BridgeConfiguration.parse("{\"mcpServers\": 7}", fixture.folder, Map.of())))
                    .isInstanceOf(ConfigurationException.class);
            assertEchoes(good);
        }
        daemon.drain();
    }

    private void say(String line) throws IOException {
        try (var client = LineClient.connect(fixture.unixAddress())) {
            client.send(line);
        } catch (UncheckedIOException ended) {
            // The daemon does not read oversized input to its end.
        }
    }

    private static void assertEchoes(LineClient good) {
        assertThat(good.call("tool__echo", "{}").isError()).isFalse();
    }
}
