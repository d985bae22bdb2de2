package io.mcpbridge.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.faulty.FaultScript;
import io.mcpbridge.testkit.faulty.FaultyServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The error of a call that timed out, by tool and policy. */
@Timeout(60)
class RepeatableTimeoutsTest {
    private final LeakCheck residue = LeakCheck.now();
    private final Path folder;

    RepeatableTimeoutsTest() throws IOException {
        folder = Files.createTempDirectory("repeatable");
    }

    @AfterEach
    void nothingIsLeft() {
        FaultBench.delete(folder);
        residue.assertNothingLeft();
    }

    @ParameterizedTest(name = "A6, A7: {0} under {1} is retryable: {2}")
    @CsvSource({
        "echo, safe, true, provider_timeout",
        "echo, none, true, provider_timeout",
        "count, safe, false, in_doubt",
        "count, none, false, provider_timeout"
    })
    void timeoutIsRetryableIfTheToolMayRunTwice(String tool, String policy, boolean mayBeRepeated, String reason)
            throws Exception {
        try (var server = FaultyServer.overHttp(Era.LEGACY, FaultScript.parse("on-request=silence"));
                var daemon = daemon(server, policy);
                var client = Connection.to(
                        URI.create("unix:" + folder.resolve("b.sock")),
                        ConnectionOptions.DEFAULTS
                                .withRetryPolicy("none")
                                .withMaxAttempts(1)
                                .withoutSchemaCheck())) {
            assertThat(daemon.servers()).hasSize(1);

            assertThatThrownBy(() -> client.callTool("faulty__" + tool, Map.of("key", "k")))
                    .isInstanceOfSatisfying(CallException.class, failed -> {
                        var error = failed.failure().serverError().orElseThrow();
                        assertThat(error.data())
                                .contains("\"reason\":\"" + reason + "\"")
                                .contains("\"delivery\":\"unknown\"")
                                .contains("\"retryable\":" + mayBeRepeated);
                    });
        }
    }

    private Daemon daemon(FaultyServer server, String policy) {
        var json = """
            {"mcpServers": {"faulty": {"url": "%s", "timeout": "3s", "retryDelayMs": 50, "maxRetries": 1,
              "tools": {"echo": {"read-only": true}}}},
             "bridge": {"retry": {"policy": "%s"}, "listen": {"unix": {"path": "%s"}}}}\
            """.formatted(server.uri(), policy, folder.resolve("b.sock"));
        return Daemon.start(BridgeConfiguration.parse(json, folder, Map.of()), DaemonOptions.DEFAULTS);
    }
}
