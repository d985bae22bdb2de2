package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.tool.Json;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code tools}, where a server of the daemon is away. */
@Timeout(120)
class ToolsOfAbsentServersTest {

    @TempDir
    Path folder;

    @Test
    void onlyServerThatIsUnreachableIsAFailure() {
        var run = tools("{\"away\": {\"path\": \"%s\"}}".formatted(folder.resolve("away.sock")));

        assertThat(run.err()).contains("tools of server 'away' may be missing");
        assertThat(run.out()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT_CONNECT);
    }

    @Test
    void toolsOfReachableServersAreListed() {
        var words = TargetOptions.CommandLineSplitter.of(RunCommand.SERVER);
        var there = Json.of(Map.of("command", words.get(0), "args", words.subList(1, words.size())))
                .text();

        // The daemon lists the tools of a server that it has started.
        var run = tools(
                "{\"away\": {\"path\": \"%s\"}, \"there\": %s}".formatted(folder.resolve("away.sock"), there),
                "call",
                "there.echo");

        assertThat(run.err()).contains("tools of server 'away' may be missing");
        assertThat(run.out()).contains("there__echo");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }

    private RunCommand tools(String servers, String... before) {
        var socket = folder.resolve("b.sock");
        var json = "{\"mcpServers\": %s, \"bridge\": {\"listen\": {\"unix\": {\"path\": \"%s\"}}}}"
                .formatted(servers, socket);
        try (var daemon = Daemon.start(BridgeConfiguration.parse(json, folder, Map.of()), DaemonOptions.DEFAULTS)) {
            var place = List.of("--mcp-bridge-socket", daemon.addresses().get(0).getPath());
            if (before.length > 0) {
                var unused = RunCommand.of(with(place, before));
            }
            return RunCommand.of(with(place, "tools"));
        }
    }

    private static String[] with(List<String> place, String... words) {
        return Stream.concat(Stream.of(words), place.stream()).toArray(String[]::new);
    }
}
