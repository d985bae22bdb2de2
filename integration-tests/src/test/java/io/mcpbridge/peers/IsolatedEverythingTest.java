package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.tool.Progress;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The official {@code server-everything} behind the daemon, with a process for each call of a tool. */
@RequiresPeers
@Timeout(60)
class IsolatedEverythingTest {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon().server("alone", () -> new Isolated(NodePeers.everything()));

    private record Isolated(ChildServer server) implements PeerServer {

        @Override
        public String section() {
            var more = "{\"isolation\": \"call\", \"maxMemoryMb\": 0, \"pool\": {\"warm\": 1, \"max\": 4}, ";
            return more + server.section().substring(1);
        }

        @Override
        public Connection connect(ConnectionOptions options) throws InterruptedException {
            return server.connect(options);
        }

        @Override
        public void close() {
            server.close();
        }
    }

    @Test
    void callsAndOtherRequestsWorkWithIsolation() throws Exception {
        try (var client = DAEMON.connect()) {
            assertThat(client.listTools()).isNotEmpty();
            for (int i = 0; i < 3; i++) {
                assertThat(client.callTool("alone__get-sum", Map.of("a", i, "b", 40))
                                .text())
                        .isEqualTo("The sum of %d and 40 is %d.".formatted(i, i + 40));
            }
            assertThat(client.server().listResources()).isNotEmpty();
        }
    }

    @Test
    void progressReachesTheClient() throws Exception {
        try (var client = DAEMON.connect()) {
            var heard = new CopyOnWriteArrayList<Progress>();
            var options =
                    CallOptions.DEFAULTS.withTimeout(Duration.ofSeconds(30)).withProgress(heard::add);

            client.callTool("alone__trigger-long-running-operation", Map.of("duration", 0.2, "steps", 2), options);

            assertThat(heard).isNotEmpty();
        }
    }
}
