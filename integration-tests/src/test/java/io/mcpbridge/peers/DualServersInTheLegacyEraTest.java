package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.conformance.ModernFixture;
import io.mcpbridge.engine.ManagedServerStatus;
import java.util.function.Supplier;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Servers of both eras that {@code "protocol": "legacy"} holds to the legacy one, behind clients of either era. Over HTTP
 * this server has no sessions in the legacy era, and so cannot ask there.
 */
@RequiresPeers
@Timeout(90)
class DualServersInTheLegacyEraTest {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon()
            .server("stdio", held(ModernFixture.DUAL::stdio))
            .server("http", held(ModernFixture.DUAL::http));

    private static Supplier<PeerServer> held(Supplier<? extends PeerServer> server) {
        return () -> new Held(server.get());
    }

    @ParameterizedTest(name = "a client {0} that speaks {1}, over {2}")
    @CsvSource({
        "v1, 2025-11-25, stdio, input_required_result_elicitation, any name",
        "v2, 2026-07-28, stdio, input_required_result_elicitation, any name",
        "v1, 2025-11-25, http,  simple_text,                       This is a simple text response",
        "v2, 2026-07-28, http,  simple_text,                       This is a simple text response"
    })
    void clientsOfBothErasUseLegacyServers(String client, String version, String server, String tool, String said)
            throws InterruptedException {
        var command = NodePeers.script("asking.mjs", client, DAEMON.http().toString(), server + "__test_" + tool);

        try (var program = Program.start(command)) {
            assertThat(program.awaitOutput()).contains("\"version\":\"" + version + "\"", said);
        }
        assertThat(DAEMON.running().servers())
                .filteredOn(ManagedServerStatus::name, server)
                .singleElement()
                .satisfies(one -> {
                    assertThat(one.protocol()).isEqualTo("2025-11-25");
                    assertThat(one.era()).isEqualTo("legacy");
                    assertThat(one.eraShownBy()).contains("configured");
                });
    }

    /** A server whose section says that it is to be spoken with in the legacy era. */
    private record Held(PeerServer server) implements PeerServer {

        @Override
        public String section() {
            var section = server.section();
            return section.substring(0, section.lastIndexOf('}')) + ", \"protocol\": \"legacy\"}";
        }

        @Override
        public Connection connect(ConnectionOptions options) throws InterruptedException {
            return server.connect(options.with("protocol", "legacy"));
        }

        @Override
        public void close() {
            server.close();
        }
    }
}
