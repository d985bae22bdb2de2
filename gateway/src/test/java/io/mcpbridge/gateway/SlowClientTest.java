package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** G3, G4: a client that does not read affects only itself. */
@Timeout(60)
class SlowClientTest {
    /** Responses of 1 MiB each; the queue of one client is limited to 16 MiB and 64 KiB. */
    private static final int ANSWERS = 24;

    private static final int DEAF = 6;
    private static final int LARGE = 12 << 20;

    private final DaemonFixture fixture;

    SlowClientTest() throws Exception {
        fixture = new DaemonFixture();
    }

    @AfterEach
    void close() throws Exception {
        fixture.close();
    }

    @Test
    void clientThatDoesNotReadIsDisconnectedAndOthersContinue() throws Exception {
        fixture.unix("tool", new ToolScript("tool", "big", "echo"));
        var daemon = fixture.start();
        var reading = fixture.client("reading");
        var deaf = fixture.closeLater(LineClient.connect(fixture.unixAddress()));
        deaf.send("{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"method\":\"initialize\",\"params\":{\"clientInfo\":{}}}\n");
        // In one write, because the daemon may end the connection before the last request.
        deaf.send(IntStream.range(0, ANSWERS).mapToObj(SlowClientTest::bigCall).collect(Collectors.joining()));
        var slowest = Duration.ZERO;

        for (int i = 0; i < 100; i++) {
            var begun = System.nanoTime();
            assertThat(reading.call("tool__echo", "{}").isError()).isFalse();
            var took = Duration.ofNanos(System.nanoTime() - begun);
            slowest = took.compareTo(slowest) > 0 ? took : slowest;
        }

        Eventually.holds("the deaf client to be gone", () -> daemon.clients().size() == 1);
        assertThat(slowest).isLessThan(Duration.ofSeconds(5));
        assertThat(reading.call("tool__echo", "{}").isError()).isFalse();
    }

    @Test
    void answersQueuedForASlowClientDoNotBlockTheSharedServer() throws Exception {
        fixture.unix("tool", new ToolScript("tool", "big", "echo"));
        var daemon = fixture.start();
        var deaf = fixture.closeLater(LineClient.connect(fixture.unixAddress()));
        deaf.send("{\"jsonrpc\":\"2.0\",\"id\":\"hello\",\"method\":\"initialize\",\"params\":{\"clientInfo\":{}}}\n");
        for (int i = 0; i < 8; i++) {
            deaf.callLater("tool__big", "{}");
        }
        var reading = fixture.client("reading");

        assertThat(reading.call("tool__echo", "{}").isError()).isFalse();

        Eventually.holds("all calls to be answered", () -> daemon.health().callsInFlight() == 0);
        deaf.listen();
        for (int i = 0; i < 8; i++) {
            assertThat(deaf.answer(MessageId.of(i)).isError()).isFalse();
        }
    }

    @Test
    @DisplayName("G3, G4: a slow HTTP client delays no other client")
    void slowHttpClientDelaysNoOtherClient() throws Exception {
        var script = new ToolScript("tool", "sized", "echo");
        fixture.unix("tool", script);
        fixture.start();
        var reading = fixture.client("reading");
        var slowest = Duration.ZERO;
        for (int i = 0; i < DEAF; i++) {
            requestWithoutReading();
        }
        Eventually.holds("the calls to arrive", () -> script.calls().size() == DEAF);

        for (int i = 0; i < 100; i++) {
            var begun = System.nanoTime();
            assertThat(reading.call("tool__echo", "{}").isError()).isFalse();
            var took = Duration.ofNanos(System.nanoTime() - begun);
            slowest = took.compareTo(slowest) > 0 ? took : slowest;
        }

        assertThat(slowest).isLessThan(Duration.ofSeconds(5));
        assertThat(HttpTestClient.initialized(fixture.httpAddress()).call("tool__echo", "{}"))
                .contains("\"result\"");
        // Queued responses do not delay the end of the daemon.
        fixture.running().close();
    }

    /** Requests more than the socket buffers hold. */
    private void requestWithoutReading() throws IOException {
        var address = fixture.httpAddress();
        var socket = fixture.closeLater(new Socket());
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress(address.getHost(), address.getPort()));
        var body = RawHttp.body(
                Methods.TOOLS_CALL, "\"name\":\"tool__sized\",\"arguments\":{\"bytes\":%d},".formatted(LARGE));
        socket.getOutputStream()
                .write(("POST %s HTTP/1.1\r\nHost: %s\r\nAccept: application/json, text/event-stream\r\n"
                                        .formatted(address.getPath(), address.getAuthority())
                                + "Content-Type: application/json\r\n" + RawHttp.headers(Methods.TOOLS_CALL)
                                + "Mcp-Name: tool__sized\r\nContent-Length: %d\r\n\r\n%s"
                                        .formatted(body.length(), body))
                        .getBytes(StandardCharsets.US_ASCII));
    }

    private static String bigCall(int id) {
        return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":\"tool__big\"}}\n"
                .formatted(id);
    }
}
