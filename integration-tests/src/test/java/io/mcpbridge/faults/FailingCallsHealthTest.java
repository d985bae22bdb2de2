package io.mcpbridge.faults;

import static io.mcpbridge.faults.FaultBench.NAME;
import static io.mcpbridge.faults.FaultBench.ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.ServerHealth;
import io.mcpbridge.ServerStatus;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.faulty.FaultScript;
import io.mcpbridge.testkit.faulty.FaultyServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is connected and fails at its calls is not healthy, though it answers pings. */
@Timeout(60)
class FailingCallsHealthTest {
    private static final String BREAKER = "\"breaker\": {\"consecutive\": 2, \"open-time\": \"2s\"}";

    private final LeakCheck residue = LeakCheck.now();

    @AfterEach
    void nothingIsLeft() {
        residue.assertNothingLeft();
    }

    @Test
    void serverWithHangingCallsIsDegradedUntilOneSucceeds() throws Exception {
        try (var server = FaultyServer.overHttp(
                        Era.LEGACY, FaultScript.parse("on-request:1=silence", "on-request:2=silence"));
                var bench = FaultBench.at(server.uri(), BREAKER)) {
            List<String> topics = new CopyOnWriteArrayList<>();
            bench.bridge.events().subscribe(event -> {
                if (event instanceof BridgeEvent.BreakerOpened || event instanceof BridgeEvent.BreakerClosed) {
                    topics.add(event.topic());
                }
            });
            assertThat(bench.bridge.checkHealth(NAME).isHealthy()).isTrue();
            var hasty = ONCE.withTimeout(Duration.ofMillis(500));

            bench.failure("echo", Map.of(), hasty);
            bench.failure("echo", Map.of(), hasty);

            var status = bench.status();
            assertThat(status.state()).isEqualTo(ServerStatus.State.DEGRADED);
            assertThat(status.error()).contains("circuit breaker open", "timed out");
            var health = bench.bridge.checkHealth(NAME);
            assertThat(health.status()).isEqualTo(ServerHealth.Status.DEGRADED);
            assertThat(health.error()).contains("circuit breaker open", "timed out");
            Eventually.holds("a call to work", () -> works(bench));
            assertThat(bench.status().state()).isEqualTo(ServerStatus.State.HEALTHY);
            assertThat(bench.bridge.checkHealth(NAME).isHealthy()).isTrue();
            assertThat(topics).containsExactly("provider.mcp.breaker.opened", "provider.mcp.breaker.closed");
        }
    }

    private static boolean works(FaultBench bench) {
        return bench.bridge
                .callToolAsync(NAME, "echo", Map.of("text", "on"), ONCE)
                .handle((result, why) -> why == null && result.text().equals("on"))
                .join();
    }
}
