package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.message.JsonStrings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The exit codes of calls through the daemon. */
@Timeout(120)
class RelayedExitCodesTest {
    private static final String HELLO = "{\"message\":\"hi\"}";

    private static Path folder;
    private static Daemon daemon;

    @BeforeAll
    static void start() throws IOException {
        // Short, since the path of a socket has 106 bytes at the most.
        folder = Files.createTempDirectory("cli");
        var words = TargetOptions.CommandLineSplitter.of(RunCommand.SERVER).stream()
                .map(JsonStrings::quote)
                .toList();
        var section =
                "{\"command\": %s, \"args\": [%s], \"timeout\": \"30s\", \"retry\": \"%s\", \"tools\": {\"count\":"
                        + " {\"timeout\": \"1s\"}}}";
        var args = words.stream().skip(1).collect(Collectors.joining(", "));
        var json = """
            {"mcpServers": {"good": %s, "slow": %s, "doubt": %s, "gone": {"path": "%s"}, "mute": {"command": "/bin/false"}},
             "bridge": {"listen": {"unix": {"path": "%s"}}}}\
            """.formatted(
                        section.formatted(words.get(0), args, "safe"),
                        section.formatted(words.get(0), args, "none"),
                        section.formatted(words.get(0), args, "safe"),
                        folder.resolve("gone.sock"),
                        folder.resolve("b.sock"));
        daemon = Daemon.start(BridgeConfiguration.parse(json, folder, Map.of()), DaemonOptions.DEFAULTS);
        // The call that times out shall find its server started.
        assertThat(call("slow.echo", HELLO).exitCode()).isZero();
        assertThat(call("doubt.echo", HELLO).exitCode()).isZero();
    }

    @AfterAll
    static void stop() throws IOException {
        daemon.close();
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "good.echo   | {'message':'hi'} | 0",
                "good.fail   | {}               | 1",
                "good.none   | {}               | 1",
                "good.echo   | [1]              | 2",
                "doubt.count | {'to':1000}      | 4",
                "gone.echo   | {}               | 3",
                "mute.echo   | {}               | 3",
                "slow.count  | {'to':1000}      | 4"
            })
    void exitCodeReflectsTheOutcomeOfTheCall(String tool, String arguments, int exitCode) {
        var run = call(tool, arguments.replace('\'', '"'));

        assertThat(run.exitCode()).as("errors: %s", run.err()).isEqualTo(exitCode);
    }

    @Test
    void errorMessageOfTheDaemonIsPrinted() {
        assertThat(call("gone.echo", "{}").err()).contains("gone");
    }

    @ParameterizedTest
    @ValueSource(strings = {"good.echo", "good.fail", "good.none"})
    void callWithoutAConnectionEndsAsOneWithAConnectionDoes(String tool) {
        var socket = folder.resolve("b.sock").toString();
        var without = RunCommand.of("call", tool, HELLO, "--mcp-bridge-socket", socket);
        var with = RunCommand.of("call", tool, HELLO, "--mcp-bridge-socket", socket, "--retries", "1");

        assertThat(without.exitCode()).isEqualTo(with.exitCode());
        assertThat(without.out()).isEqualTo(with.out());
        assertThat(withoutAttempts(without.err())).isEqualTo(withoutAttempts(with.err()));
    }

    private static String withoutAttempts(String message) {
        return message.replaceFirst(" \\([0-9]+ attempts\\)", "");
    }

    @ParameterizedTest
    @ValueSource(strings = {"call good.echo {\"message\":\"hi\"}", "tools", "servers", "clients", "health", "version"})
    void shortCommandLoadsNeitherTheParserNorTheEngine(String command) throws Exception {
        var loaded = folder.resolve("loaded");
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:class+load:file=" + loaded,
                "-cp",
                System.getProperty("java.class.path"),
                "io.mcpbridge.cli.Main"));
        words.addAll(List.of(command.split(" ")));
        var builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("MCP_BRIDGE_SOCKET", folder.resolve("b.sock").toString());

        var process = builder.start();

        assertThat(process.inputReader().lines()).isNotEmpty();
        assertThat(process.waitFor()).isIn(ExitCode.OK, ExitCode.TOOL_ERROR);
        assertThat(Files.readString(loaded))
                .contains("io.mcpbridge.cli.Main ")
                .doesNotContain(
                        "io.mcpbridge.cli.RootCommand ",
                        "io.mcpbridge.Connection ",
                        "io.mcpbridge.ProgramEngine ",
                        "java.util.logging.LogManager ");
    }

    private static RunCommand call(String tool, String arguments) {
        return RunCommand.of(
                "call",
                tool,
                arguments,
                "--timeout",
                "40s",
                "--mcp-bridge-socket",
                folder.resolve("b.sock").toString());
    }
}
