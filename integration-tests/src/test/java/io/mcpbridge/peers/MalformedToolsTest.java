package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * K6: clients of both generations of the TypeScript SDK, which reject a whole list for one tool that violates the
 * protocol, list and call the other tools of servers of both eras that have many such tools.
 */
@RequiresPeers
@Timeout(90)
class MalformedToolsTest {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon()
            .server("new", () -> new ChildServer(NodePeers.script("malformed-tools.mjs", "modern")))
            .server("old", () -> new ChildServer(NodePeers.script("malformed-tools.mjs", "legacy")));

    @ParameterizedTest(name = "K6: {0}")
    @ValueSource(strings = {"v1", "v2"})
    void k6OfficialClientListsAndCallsTheOtherTools(String generation) throws InterruptedException {
        var command = NodePeers.script("tools.mjs", generation, DAEMON.http().toString());

        try (var program = Program.start(command)) {
            assertThat(program.awaitOutput())
                    .contains("\"tools\":[\"new__anything\",\"new__good\",\"new__nulls\","
                            + "\"old__anything\",\"old__good\",\"old__nulls\"]")
                    .contains("new__good: called", "old__good: called");
        }
    }
}
