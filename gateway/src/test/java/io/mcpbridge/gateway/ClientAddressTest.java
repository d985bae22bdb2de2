package io.mcpbridge.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.message.Methods;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.net.URI;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The addresses that {@code clients} shows of HTTP clients are those of the clients, not of the listener. */
@Timeout(60)
class ClientAddressTest {
    private static final String INITIALIZE = """
        {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},\
        "clientInfo":{"name":"raw","version":"1"}}}\
        """;

    private final ToolScript script = new ToolScript("tool", "hang");

    @RegisterExtension
    final DaemonFixture fixture = DaemonFixture.serving("tool", script);

    @Test
    void callOfAModernClientShowsItsAddress() throws IOException {
        try (var call =
                RawHttp.modern(fixture.httpAddress(), Methods.TOOLS_CALL, "tool__hang", "\"name\":\"tool__hang\",")) {
            assertShown(call);
        }
    }

    @Test
    void streamOfAModernClientShowsItsAddress() throws IOException {
        var filter = "\"notifications\":{\"toolsListChanged\":true},";
        try (var stream = RawHttp.modern(fixture.httpAddress(), Methods.SUBSCRIPTIONS_LISTEN, "", filter)) {
            assertShown(stream);
        }
    }

    @Test
    void legacySessionShowsTheAddressOfItsInitialize() throws IOException {
        try (var opening = RawHttp.post(fixture.httpAddress(), "", INITIALIZE)) {
            assertShown(opening);
        }
    }

    @Test
    void sseSessionShowsItsAddress() throws IOException {
        var sse = URI.create(fixture.httpAddress().toString().replace("/mcp", "/sse"));
        try (var stream = RawHttp.send(sse, "GET", "")) {
            assertShown(stream);
        }
    }

    private void assertShown(RawHttp client) {
        Eventually.holds("a client", () -> !fixture.running().clients().isEmpty());
        assertThat(fixture.running().clients()).singleElement().satisfies(shown -> {
            assertThat(shown.network()).isEqualTo("tcp");
            assertThat(shown.address()).isEqualTo("127.0.0.1:" + client.localPort());
        });
    }
}
