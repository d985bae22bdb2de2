package io.mcpbridge.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Connection;
import io.mcpbridge.ConnectionOptions;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.faulty.ExecutionCounter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;

/**
 * A child of the daemon is killed again and again while sixteen callers use it over one session. {@code
 * -Dmcp-bridge.kills=100} kills it more often.
 */
class KillUnderLoadTest {
    private static final int KILLS = Integer.getInteger("mcp-bridge.kills", 6);
    private static final int CALLERS = 16;
    private static final int CALLS_BETWEEN_KILLS = 50;

    private final LeakCheck residue = LeakCheck.now();
    private final Path folder;

    KillUnderLoadTest() throws IOException {
        folder = Files.createTempDirectory("kill");
    }

    @AfterEach
    void nothingIsLeft() {
        FaultBench.delete(folder);
        residue.assertNothingLeft();
    }

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void everyCallRunsAtMostOnceAndTheSessionSurvives(TestReporter reporter) throws Exception {
        var ledger = ExecutionCounter.in(folder);
        try (var daemon = Daemon.start(configuration(), DaemonOptions.DEFAULTS);
                var client = Connection.to(
                        URI.create("unix:" + folder.resolve("b.sock")),
                        ConnectionOptions.DEFAULTS
                                .withRetryPolicy("none")
                                .withMaxAttempts(1)
                                .withoutSchemaCheck());
                var load = new Load(client, CALLERS)) {
            var session = daemon.clients().get(0).since();
            var begun = System.nanoTime();

            for (int i = 0; i < KILLS; i++) {
                load.awaitAnswers(CALLS_BETWEEN_KILLS);
                child(daemon).destroyForcibly();
            }
            load.awaitAnswers(CALLS_BETWEEN_KILLS);
            load.finish();

            var millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            reporter.publishEntry("kills", "%d in %d ms; %s".formatted(KILLS, millis, load));
            assertThat(load.unexpected()).isEmpty();
            assertThat(load.begun()).isEqualTo(load.ended());
            assertThat(ledger.executions().values()).allMatch(times -> times == 1);
            assertThat(ledger.executions().keySet()).containsAll(load.answered());
            assertThat(load.notSent()).noneMatch(ledger.executions()::containsKey);
            assertThat(ledger.starts()).isEqualTo(KILLS + 1);
            assertThat(daemon.clients())
                    .singleElement()
                    .satisfies(only -> assertThat(only.since()).isEqualTo(session));
            assertThat(client.callTool("victim__echo", Map.of("text", "still here"))
                            .text())
                    .isEqualTo("still here");
        }
    }

    private BridgeConfiguration configuration() {
        var json = "{\"mcpServers\": {\"victim\": %s}, \"bridge\": {\"listen\": {\"unix\": {\"path\": \"%s\"}}}}"
                .formatted(withFastRestart(FaultBench.childSection(folder)), folder.resolve("b.sock"));
        return BridgeConfiguration.parse(json, folder, Map.of());
    }

    private static String withFastRestart(String section) {
        return FaultBench.with("\"reconnect-backoff\": \"1ms\"", section);
    }

    /** Its server, which may just be starting. */
    private static ProcessHandle child(Daemon daemon) {
        return Eventually.get(() -> "a child to kill", () -> {
            var pid = daemon.servers().get(0).pid();
            return pid.isPresent() ? ProcessHandle.of(pid.getAsLong()) : Optional.empty();
        });
    }
}
