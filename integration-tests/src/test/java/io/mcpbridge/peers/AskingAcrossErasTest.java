package io.mcpbridge.peers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.conformance.LegacyFixture;
import io.mcpbridge.conformance.ModernFixture;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Servers of both eras ask clients of both eras through the daemon, whichever way the one wants to ask and the other to
 * get requests: as requests or as results that need input.
 */
@RequiresPeers
@Timeout(90)
class AskingAcrossErasTest {

    @RegisterExtension
    static final TestDaemon DAEMON = new TestDaemon()
            .server("javahttp", LegacyFixture::http)
            .server("javastdio", LegacyFixture::stdio)
            .server("nodehttp", ModernFixture.MODERN::http)
            .server("nodestdio", ModernFixture.MODERN::stdio);

    @ParameterizedTest
    @CsvSource({
        "v1, 2025-11-25, javahttp",
        "v1, 2025-11-25, javastdio",
        "v1, 2025-11-25, nodehttp",
        "v1, 2025-11-25, nodestdio",
        "v2, 2026-07-28, javahttp",
        "v2, 2026-07-28, javastdio",
        "v2, 2026-07-28, nodehttp",
        "v2, 2026-07-28, nodestdio"
    })
    void everyClientAnswersEveryServer(String client, String version, String server) throws InterruptedException {
        var prefix = server + "__test_input_required_result_";
        var command = new ArrayList<>(
                NodePeers.script("asking.mjs", client, DAEMON.http().toString()));
        command.addAll(List.of(
                prefix + "elicitation",
                prefix + "sampling",
                prefix + "list_roots",
                prefix + "multiple_inputs",
                prefix + "multi_round"));

        assertThat(conversation(command))
                .contains("\"version\":\"" + version + "\"", "any name", "sampled", "file:///here")
                .containsPattern("\"asked\":\\[(\"[a-z/A-Z]+\",?){8}\\]");
    }

    private static String conversation(List<String> command) throws InterruptedException {
        try (var program = Program.start(command)) {
            return program.awaitOutput();
        }
    }
}
