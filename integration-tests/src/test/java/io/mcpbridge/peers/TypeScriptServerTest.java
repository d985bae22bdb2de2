package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.CallOptions;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.tool.Content;
import io.mcpbridge.tool.ToolDefinition;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A server of the second generation of the TypeScript SDK, which serves both eras, behind the daemon. */
@RequiresPeers
@Timeout(60)
class TypeScriptServerTest {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon().server("v2", NodePeers::typeScriptServer);

    @Test
    void toolsAreListedAndCalled() throws InterruptedException {
        try (var client = DAEMON.connect()) {
            assertThat(client.listTools())
                    .extracting(ToolDefinition::name)
                    .containsExactly("v2__echo", "v2__wait", "v2__withdrawn");
            assertThat(client.callTool("v2__echo", Map.of("text", "hi")).blocks())
                    .containsExactly(new Content.Text("hi"));
        }
    }

    @Test
    void serverIsUsedInTheModernEra() throws InterruptedException {
        try (var client = DAEMON.connect()) {
            client.listTools();

            var server = DAEMON.running().servers().get(0);
            assertThat(server.protocol()).isEqualTo("2026-07-28");
            assertThat(server.eraShownBy()).contains("discovered");
        }
    }

    @Test
    void cancellationReachesTheServer() throws InterruptedException {
        try (var client = DAEMON.connect()) {
            var call = client.callToolAsync("v2__wait", Map.of(), CallOptions.DEFAULTS);
            Eventually.holds(
                    "the server to work on the call", () -> withdrawn(client).equals("0 of 1"));

            call.cancel(true);

            Eventually.holds("the server to hear of it", () -> withdrawn(client).equals("1 of 1"));
        }
    }

    /** How many calls of {@code wait} were cancelled, of how many that the server began. */
    private static String withdrawn(io.mcpbridge.Connection client) {
        var counted = client.callToolAsync("v2__withdrawn", Map.of(), CallOptions.DEFAULTS);
        return ((Content.Text) counted.join().blocks().get(0)).text();
    }
}
