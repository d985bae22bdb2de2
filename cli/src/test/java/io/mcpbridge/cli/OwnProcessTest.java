package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands whose variables or standard streams matter, in a process of their own. */
@Timeout(120)
class OwnProcessTest {
    private static final String INITIALIZE =
            "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"}}}\n";

    @TempDir
    Path folder;

    @Test
    void clientWithoutADaemonGetsAnErrorThatNamesTheSocketAndTheNextStep() throws Exception {
        var socket = folder.resolve("no.sock");
        var client = Files.writeString(folder.resolve("bridge-client.json"), """
            {"mcpBridge": {"socketPath": "%s", "reconnect": {"enabled": false}}}\
            """.formatted(socket));
        var process = command("connect", "--config", client.toString()).start();
        process.getOutputStream().write(INITIALIZE.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();

        var message = "Cannot connect to the daemon at 'unix:" + socket
                + "': No such file or directory. Start it with 'mcp-bridge serve', or add 'unix' to its 'listen'.";
        try (var out = process.inputReader()) {
            assertThat(out.readLine())
                    .startsWith("{\"jsonrpc\":\"2.0\",\"id\":7,\"error\":")
                    .contains(message);
            assertThat(out.readLine()).isNull();
        }
        assertEnds(process, ExitCode.CANNOT_CONNECT, "mcp-bridge: " + message);
    }

    @Test
    void disconnectedClientDoesNotDelayTheFailure() throws Exception {
        var socket = folder.resolve("no.sock");
        var process = command("connect", "--mcp-bridge-socket", socket.toString())
                .redirectInput(Files.createFile(folder.resolve("empty")).toFile())
                .start();

        assertEnds(
                process,
                ExitCode.CANNOT_CONNECT,
                "Cannot connect to the daemon at 'unix:" + socket + "': No such file or directory.");
    }

    @Test
    void checkStatesThatVariablesDefineTheServers() throws Exception {
        var process = withVariables("check");

        try (var out = process.inputReader()) {
            assertThat(out.readLine())
                    .isEqualTo("ok  the servers of variables MCP_<NAME>_ENDPOINT; there is no file '%s'"
                            .formatted(defaultFile()));
            assertThat(out.lines()).anyMatch(line -> line.startsWith("github"));
        }
        assertEnds(process, ExitCode.OK, "");
    }

    @Test
    void namedFileMustExistDespiteVariables() throws Exception {
        var process = withVariables("check", "--config", defaultFile().toString());

        assertEnds(
                process,
                ExitCode.USAGE,
                "mcp-bridge: there is no configuration '%s', which --config names; create it or name another file"
                        .formatted(defaultFile()));
    }

    @Test
    void callLogsItsAttemptsUnlessItIsQuiet() throws Exception {
        var process = command("call", "echo", "{\"message\":\"hi\"}", "--command", RunCommand.SERVER)
                .start();
        assertEnds(process, ExitCode.OK, "[mcp-bridge] callTool echo attempt 1/1");
        assertThat(process.inputReader().lines()).containsExactly("hi");

        var quiet = command("call", "echo", "{\"message\":\"hi\"}", "--quiet", "--command", RunCommand.SERVER)
                .start();
        assertThat(quiet.errorReader().lines()).isEmpty();
        assertThat(quiet.inputReader().lines()).containsExactly("hi");
    }

    @Test
    void textsDoNotDependOnTheLocale() throws Exception {
        var builder = command("call", "echo", "{\"message\":\"hi\"}", "--command", RunCommand.SERVER);
        builder.environment()
                .put("JAVA_TOOL_OPTIONS", "-Duser.language=ar -Duser.country=EG -Duser.extensions=nu-arab");
        var process = builder.start();

        try (var err = process.errorReader()) {
            assertThat(err.lines())
                    .anyMatch(line -> line.matches("[0-9]{4}-[0-9]{2}-[0-9T:.]+ INFO +.* callTool echo attempt 1/1"));
        }
        assertThat(process.waitFor()).isEqualTo(ExitCode.OK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"connect", "health", "call echo", "audit verify", "serve --demo", "version"})
    void legacyVariableIsRefusedByEachSubcommand(String subcommand) throws Exception {
        var builder = command(subcommand.split(" "));
        builder.environment().put("AMS_SOCKET", "/tmp/b.sock");

        assertEnds(builder.start(), ExitCode.USAGE, "mcp-bridge: legacy AMS_SOCKET: set 'MCP_BRIDGE_SOCKET' instead");
    }

    @Test
    void helpIsShownInSpiteOfALegacyVariable() throws Exception {
        var builder = command("connect", "--help");
        builder.environment().put("AMS_SOCKET", "/tmp/b.sock");

        assertEnds(builder.start(), ExitCode.OK, "");
    }

    @Test
    void bareVersionPrintsTheLinesOfTheParsedOne() throws Exception {
        var bare = command("version").start();
        var parsed = command("version", "--debug").start();

        assertThat(bare.inputReader().lines().toList())
                .isNotEmpty()
                .isEqualTo(parsed.inputReader().lines().toList());
        assertEnds(bare, ExitCode.OK, "");
    }

    private Path defaultFile() {
        return folder.resolve("mcp-bridge").resolve("mcp.json");
    }

    private Process withVariables(String... arguments) throws IOException {
        var builder = command(arguments);
        builder.environment().put("XDG_CONFIG_HOME", folder.toString());
        builder.environment().put("MCP_GITHUB_ENDPOINT", "http://localhost:1/mcp");
        return builder.start();
    }

    private static void assertEnds(Process process, int exitCode, String message) throws Exception {
        try (BufferedReader err = process.errorReader()) {
            assertThat(String.join("\n", err.lines().toList())).contains(message);
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(exitCode);
    }

    private static ProcessBuilder command(String... arguments) {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var words = new ArrayList<>(List.of(
                java,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.mcpbridge.cli.Main"));
        words.addAll(List.of(arguments));
        return new ProcessBuilder(words);
    }
}
