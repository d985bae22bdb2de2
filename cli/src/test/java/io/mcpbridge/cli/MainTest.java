package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.mcpbridge.message.Era;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.faulty.FaultScript;
import io.mcpbridge.testkit.faulty.FaultyServer;
import io.mcpbridge.testkit.faulty.FaultyServerMain;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class MainTest {

    @Test
    void usageIsShownWithoutASubcommand() {
        var run = RunCommand.of();

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("serve", "connect", "call", "demo").doesNotContain("demo-server");
    }

    @Test
    void unknownOptionIsAUsageError() {
        var run = RunCommand.of("tools", "--jsom");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("--jsom");
    }

    @Test
    void versionIsPrinted() {
        var run = RunCommand.of("version");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("mcp-bridge", System.getProperty("java.version"));
    }

    @Nested
    class Calling {

        @Test
        void callPrintsTheTextOfTheResult() {
            var run = RunCommand.of("call", "echo", "{\"message\":\"hello\"}", "--command", RunCommand.SERVER);

            assertThat(run.err()).isEmpty();
            assertThat(run.out()).isEqualTo("hello" + System.lineSeparator());
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        }

        @Test
        void callPrintsTheRawResult() {
            var run =
                    RunCommand.of("call", "echo", "{\"message\":\"hello\"}", "--json", "--command", RunCommand.SERVER);

            assertThat(run.out()).contains("\"structuredContent\":{\"server\":\"stdio\"");
        }

        @ParameterizedTest
        @CsvSource(
                quoteCharacter = '`',
                value = {"ecko, did you mean 'echo'?", "nothing, 'mcp-bridge tools' lists the names"})
        void unknownToolGetsTheNearestName(String tool, String next) {
            var run = RunCommand.of("call", tool, "--quiet", "--command", RunCommand.SERVER);

            assertThat(run.err()).contains("tool '%s'".formatted(tool), "unknown tool; " + next);
            assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        }

        @Test
        void errorResultIsAToolError() {
            var run = RunCommand.of("call", "fail", "--command", RunCommand.SERVER);

            assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
            assertThat(run.err()).contains("'fail' returned an error");
        }

        @Test
        void callTimesOut() {
            try (var server = FaultyServer.overHttp(Era.LEGACY, FaultScript.parse("on-request=silence"))) {
                var run = RunCommand.of(
                        "call", "echo", "--timeout", "2s", "--url", server.uri().toString());

                assertThat(run.err()).contains("timed out after 2000 ms").doesNotContain("server 'server'");
                assertThat(run.exitCode()).isEqualTo(ExitCode.TIMED_OUT);
            }
        }

        @Test
        void callThatMayHaveRunIsReportedAsSuch() {
            var server =
                    RunCommand.SERVER.replace("io.mcpbridge.cli.Main demo-server", FaultyServerMain.class.getName());

            var run = RunCommand.of("call", "crash", "--command", server);

            assertThat(run.err()).contains("; the call may have run, so find out before you call again");
            assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT_CONNECT);
        }

        @Test
        void handshakeTimeoutNamesTheProgram() {
            var run = RunCommand.of("call", "echo", "--timeout", "1500ms", "--command", "sleep 60");

            assertThat(run.err())
                    .contains("the handshake with server 'sleep' did not end within 1500 ms; check")
                    .doesNotContain("initialize");
            assertThat(run.exitCode()).isEqualTo(ExitCode.TIMED_OUT);
        }

        @Test
        void refusedCredentialsNameTheWayToGiveThem() throws Exception {
            var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", exchange -> {
                exchange.sendResponseHeaders(401, -1);
                exchange.close();
            });
            server.start();
            try {
                var url =
                        "http://127.0.0.1:%d/mcp".formatted(server.getAddress().getPort());

                var run = RunCommand.of("call", "echo", "--url", url);

                assertThat(run.err()).contains("HTTP status 401", "--url sends no credentials", "mcp-bridge serve");
            } finally {
                server.stop(0);
            }
        }

        @Test
        void nonObjectArgumentsAreRejected() {
            var run = RunCommand.of("call", "echo", "[1]", "--command", "nothing-is-started");

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("'[1]'", "must be a JSON object");
        }

        @Test
        void missingProgramCannotBeConnected() {
            var run = RunCommand.of("call", "echo", "--command", "/no/such/program secret-argument");

            assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT_CONNECT);
            assertThat(run.err()).contains("/no/such/program").doesNotContain("secret-argument");
        }

        @ParameterizedTest
        @ValueSource(strings = {"tools", "call echo", "servers", "clients", "health"})
        void missingDaemonCannotBeConnected(String command, @TempDir Path folder) throws IOException {
            var socket = folder.resolve("no.sock");
            var client = Files.writeString(folder.resolve("bridge-client.json"), """
                {"mcpBridge": {"socketPath": "%s", "reconnect": {"enabled": false}}}\
                """.formatted(socket));
            var words = (command + " --config " + client).split(" ");

            var run = RunCommand.of(words);

            assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT_CONNECT);
            assertThat(run.err())
                    .isEqualToIgnoringNewLines(
                            "mcp-bridge: Cannot connect to the daemon at 'unix:" + socket
                                    + "': No such file or directory. Start it with 'mcp-bridge serve', or add 'unix' to its 'listen'.");
        }
    }

    @Test
    void toolsAreListed() {
        var run = RunCommand.of("tools", "--command", RunCommand.SERVER);

        assertThat(run.out().lines().map(line -> line.substring(0, line.indexOf(' '))))
                .containsExactly("TOOL", "echo", "count", "ask", "fail");
    }

    @Nested
    class Checking {

        @Test
        void checkReportsEveryMistakeWithItsLine(@TempDir Path folder) throws IOException {
            var file = Files.writeString(folder.resolve("mcp.json"), """
                {"mcpServers": {"a__b": {"command": "x"},
                                "c": {"command": "y", "timeout": "soon"}},
                 "bridge": {"nmaes": "plain"}}\
                """);

            var run = RunCommand.of("check", "--config", file.toString());

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("a__b", "soon", "line 2", "nmaes", "names", "line 3");
        }

        @Test
        void checkReportsMistakesInTransportSettings(@TempDir Path folder) throws IOException {
            var file = Files.writeString(folder.resolve("mcp.json"), """
                {"mcpServers": {"one": {"command": 7}},
                 "bridge": {"listen": {"http": {"prot": 1}, "carrier": {}}}}\
                """);

            var run = RunCommand.of("check", "--config", file.toString());

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("command", "prot", "port", "carrier", "unix");
        }

        @Test
        void unreadableFileIsExplained(@TempDir Path folder) {
            var check = RunCommand.of("check", "--config", folder.toString());
            var run = RunCommand.of("run", folder.resolve("no.yaml").toString());

            assertThat(check.err())
                    .contains("'%s' cannot be read: Is a directory; name a readable file".formatted(folder));
            assertThat(run.err()).contains("no.yaml': no such file; name a readable file");
            assertThat(check.err() + run.err()).doesNotContain("Exception");
        }

        @Test
        void checkRejectsAnUnsafeListener(@TempDir Path folder) throws IOException {
            var file = Files.writeString(folder.resolve("mcp.json"), """
                {"mcpServers": {"one": {"command": "x"}},
                 "bridge": {"listen": {"http": {"host": "0.0.0.0"}}}}\
                """);

            var run = RunCommand.of("check", "--config", file.toString());

            assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(run.err()).contains("host' is '0.0.0.0'", "'tokens' must have at least one token");
        }

        @Test
        void checkShowsTheServersOfAValidFile(@TempDir Path folder) throws IOException {
            var file = Files.writeString(folder.resolve("mcp.json"), """
                {"mcpServers": {"one": {"command": "x", "autoApprove": []}, "two": {"type": "http", "url": "http://localhost:1/mcp"}}}\
                """);

            var run = RunCommand.of("check", "--config", file.toString());

            assertThat(run.err()).isEmpty();
            assertThat(run.out()).contains("one", "stdio", "two", "http", "autoApprove");
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        }

        @Test
        void checkNamesCommandsThatWouldNotStart(@TempDir Path folder) throws IOException {
            var program = Files.writeString(folder.resolve("server"), "#!/bin/sh\n");
            var file = Files.writeString(folder.resolve("mcp.json"), """
                {"mcpServers": {"absent": {"command": "no-such-program"},
                                "text": {"command": "%s"},
                                "path": {"command": "sh", "env": {"PATH": "/nowhere"}},
                                "home": {"command": "~/server"},
                                "off": {"command": "no-such-program", "disabled": true},
                                "shell": {"command": "sh"}}}\
                """.formatted(program));

            var run = RunCommand.of("check", "--config", file.toString());

            assertThat(run.out().lines().filter(line -> line.startsWith("odd")))
                    .containsExactly(
                            "odd server 'absent': Cannot start 'no-such-program': No such file or directory; install the program or correct 'command'",
                            "odd server 'text': Cannot start '%s': Permission denied; install the program or correct 'command'"
                                    .formatted(program),
                            "odd server 'path': Cannot start 'sh': No such file or directory; install the program or correct 'command'",
                            "odd server 'home': Cannot start '~/server': No such file or directory; '~' is not expanded here, so write the whole path into 'command'");
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        }

        @ParameterizedTest
        @CsvSource(
                quoteCharacter = '`',
                value = {"`{\"http\": {}}`, true", "`{\"http\": {}, \"unix\": {}}`, false", "{}, false"})
        void checkNamesAListWithoutTheSocketOfTheCommands(String listen, boolean isOdd, @TempDir Path folder)
                throws IOException {
            var file = Files.writeString(
                    folder.resolve("mcp.json"), "{\"mcpServers\": {}, \"bridge\": {\"listen\": %s}}".formatted(listen));

            var run = RunCommand.of("check", "--config", file.toString());

            var odd =
                    "odd without 'unix' in 'listen', the commands of mcp-bridge and 'connect' cannot reach the daemon; add \"unix\": {}";
            assertThat(run.out().lines().anyMatch(odd::equals)).as(run.out()).isEqualTo(isOdd);
            assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        }

        @Test
        void checkShowsEachCommandWithoutItsSecrets(@TempDir Path folder) throws IOException {
            var file = Files.writeString(folder.resolve("mcp.json"), """
                {"mcpServers": {"shell": {"command": "sh", "args": ["-c", "exec server $1", "sh", "--token", "s3cret"]},
                                "off": {"command": "other-program", "disabled": true},
                                "remote": {"type": "http", "url": "http://localhost:1/mcp"}}}\
                """);

            var run = RunCommand.of("check", "--config", file.toString());

            assertThat(run.err()).isEmpty();
            assertThat(run.out())
                    .containsPattern("SERVER +COMMAND\\nshell +sh -c 'exec server \\$1' sh --token \\*{3}\\n")
                    .doesNotContain("s3cret", "other-program");
        }
    }

    @Test
    void demoPasses() {
        var run = RunCommand.of("demo");

        assertThat(run.out()).contains("checks passed").doesNotContain("FAILED");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void demoEndedByASignalLeavesNoFiles(@TempDir Path temporary) throws Exception {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var demo = new ProcessBuilder(
                        java,
                        "-Djava.io.tmpdir=" + temporary,
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "demo")
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Eventually.holds("the audit trail", () -> {
            var folders = temporary
                    .toFile()
                    .listFiles(folder -> Files.exists(folder.toPath().resolve("audit")));
            return folders != null && folders.length == 1;
        });

        demo.destroy();

        assertThat(demo.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(temporary).isEmptyDirectory();
    }

    @Test
    void invalidCollectorUrlIsRejected() {
        var run = RunCommand.of("serve", "--demo", "--otlp=nonsense");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("'--otlp=nonsense'", "such as http://localhost:4318");
    }

    @ParameterizedTest
    @ValueSource(strings = {"okhttp3.OkHttpClient", "okio.Okio", "kotlin.Unit"})
    void exporterNeedsNoOtherHttpClient(String type) {
        assertThatThrownBy(() -> Class.forName(type)).isInstanceOf(ClassNotFoundException.class);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(
            strings = {"x://u:geheim@localhost", "http://u:ge heim@localhost", "geheim@localhost", "x://h/#geheim"})
    void secretsInACollectorUrlAreHidden(String url) {
        var run = RunCommand.of("serve", "--demo", "--otlp=" + url);

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("***").doesNotContain("ge heim", "heim@", "geheim");
    }

    @Test
    void serveWithoutAConfigurationIsRejected(@TempDir Path folder) {
        var run = RunCommand.of("serve", "--config", folder.resolve("none.json").toString());

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("none.json");
    }
}
