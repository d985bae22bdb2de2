package io.mcpbridge.faults;

import static io.mcpbridge.faults.FaultBench.NAME;
import static io.mcpbridge.faults.FaultBench.ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.LogLevel;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.testkit.faulty.FaultProxy;
import io.mcpbridge.testkit.faulty.FaultScript;
import io.mcpbridge.testkit.faulty.FaultyServer;
import io.mcpbridge.testkit.faulty.Toxic;
import io.mcpbridge.tool.LogMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Row F4 of the fault matrix: a legacy server that gives its events ids, here our own daemon, behind a bad network. */
@Timeout(60)
class ResumedStreamTest {
    private static final int MESSAGES = 20;

    private final LeakCheck residue = LeakCheck.now();
    private final Path folder;

    ResumedStreamTest() throws IOException {
        folder = Files.createTempDirectory("resumed");
    }

    @AfterEach
    void nothingIsLeft() {
        FaultBench.delete(folder);
        residue.assertNothingLeft();
    }

    @Test
    @DisplayName("F4: a reset stream is resumed after its last event, without loss or duplicates")
    void resetStreamIsResumedWithoutLossOrDuplicates() throws Exception {
        try (var server = FaultyServer.overHttp(Era.LEGACY, FaultScript.parse("on-request=flood:" + MESSAGES));
                var daemon = daemon(server);
                var proxy = FaultProxy.before(daemon.addresses().get(0));
                var bench = FaultBench.at(proxy.uri(), "\"protocol\": \"legacy\"")) {
            List<LogMessage> heard = new CopyOnWriteArrayList<>();
            assertThat(bench.bridge.checkHealth(NAME).isHealthy()).isTrue();
            try (var listening = bench.bridge.server(NAME).onLog(LogLevel.DEBUG, heard::add)) {
                proxy.once("\"rear__count\"", new Toxic.Blackhole(2_000));

                var call = bench.bridge.callToolAsync(NAME, "rear__count", Map.of("key", "k"), ONCE);
                // A client that has taken no event yet when the reset comes has none to resume after.
                Eventually.holds("a first message", () -> !heard.isEmpty());
                proxy.resetAll();
                var result = call.get(30, TimeUnit.SECONDS);

                assertThat(result.text()).isEqualTo("1");
                assertThat(proxy.troubles()).isEqualTo(1);
                assertThat(server.ledger().executions("k")).isEqualTo(1);
                Eventually.holds("all messages", () -> heard.size() >= MESSAGES);
                assertThat(heard).hasSize(MESSAGES);
                assertThat(listening).isNotNull();
            }
        }
    }

    private Daemon daemon(FaultyServer server) {
        var json = """
            {"mcpServers": {"rear": {"url": "%s"}}, "bridge": {"listen": {"http": {"port": 0}}}}\
            """.formatted(server.uri());
        return Daemon.start(BridgeConfiguration.parse(json, folder, Map.of()), DaemonOptions.DEFAULTS);
    }
}
