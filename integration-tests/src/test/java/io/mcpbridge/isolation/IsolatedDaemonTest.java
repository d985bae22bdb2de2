package io.mcpbridge.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.Connection;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A daemon whose server has a process for each call. */
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class IsolatedDaemonTest {

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    private BridgeConfiguration configuration(String more) {
        var json = "{\"mcpServers\": {\"alone\": %s}, \"bridge\": {\"listen\": {\"unix\": {\"path\": \"%s\"}}}}"
                .formatted(ShellServer.section("\"maxMemoryMb\": 0", more), folder.resolve("b.sock"));
        return BridgeConfiguration.parse(json, folder, Map.of());
    }

    @Test
    void reloadAndCloseEndEveryProcess() throws Exception {
        var residue = LeakCheck.now();
        var daemon = Daemon.start(configuration("\"maxExecutionMs\": 5000"), DaemonOptions.DEFAULTS);
        try (var client = Connection.to(URI.create("unix:" + folder.resolve("b.sock")))) {
            client.listTools();
            assertThat(client.callTool("alone__count", Map.of()).text()).startsWith("1 in ");
            var before =
                    IsolationBench.processes().stream().map(ProcessHandle::pid).collect(Collectors.toSet());

            daemon.reload(configuration("\"maxExecutionMs\": 200"));

            Eventually.holds(
                    "the processes from before to end",
                    () -> IsolationBench.processes().stream().noneMatch(each -> before.contains(each.pid())));
            assertThat(client.callTool("alone__count", Map.of()).text()).startsWith("1 in ");
        } finally {
            daemon.close();
        }
        residue.assertNothingLeft();
    }
}
