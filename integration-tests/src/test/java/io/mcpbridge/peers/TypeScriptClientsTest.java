package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Clients of both generations of the TypeScript SDK in front of the daemon. Each has one conversation and reports
 * what it saw. The second generation discovers that the daemon speaks the modern era.
 */
@RequiresPeers
@Timeout(90)
class TypeScriptClientsTest {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon().server("everything", NodePeers::everything);

    @ParameterizedTest
    @CsvSource({"client-v1.mjs, 2025-11-25", "client-v2.mjs, 2026-07-28"})
    void clientOverHttpSeesEverything(String script, String version) throws InterruptedException {
        var seen = conversation(NodePeers.script(script, "http", DAEMON.http().toString()));

        assertSeen(seen);
        assertThat(seen).contains("\"version\":\"" + version + "\"");
    }

    @Test
    void clientOfTheOldestRevisionSeesEverything() throws InterruptedException {
        var place = DAEMON.http().resolve("/sse").toString();

        assertSeen(conversation(NodePeers.script("client-v1.mjs", "sse", place)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"client-v1.mjs", "client-v2.mjs"})
    void clientOverConnectSeesEverything(String script) throws InterruptedException {
        var command = new ArrayList<>(NodePeers.script(script, "stdio"));
        command.addAll(JavaCommand.mcpBridge(
                "connect", "--mcp-bridge-socket", DAEMON.socket().toString()));

        assertSeen(conversation(command));
    }

    private static String conversation(List<String> command) throws InterruptedException {
        try (var program = Program.start(command)) {
            return program.awaitOutput();
        }
    }

    private static void assertSeen(String seen) {
        assertThat(seen)
                .contains(
                        "\"server\":{\"name\":\"mcp-bridge-server\"",
                        "\"everything__get-tiny-image\"",
                        "\"echo\":\"Echo: grüße 🌉\"",
                        "\"structured\":{\"temperature\":36,",
                        "\"image\":[\"image/png\"]",
                        "\"long\":\"Long running operation completed. Duration: 0.3 seconds, Steps: 3.\"",
                        "\"progress\":[1,2",
                        "\"unknown\":{\"code\":-32602,",
                        "Unknown tool: nobody__nothing",
                        "\"wrong\":{\"isError\":true}",
                        "enough\"",
                        "\"after\":\"The sum of 19 and 23 is 42.\"");
        Eventually.holds(
                () -> "the daemon to forget the client; it has "
                        + DAEMON.running().health().callsInFlight() + " call(s) in flight",
                () -> DAEMON.running().health().callsInFlight() == 0);
    }
}
