package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.gateway.SandboxReport;
import io.mcpbridge.spi.SandboxLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class LockCommandTest {
    private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

    @TempDir
    private Path folder;

    private Path config;
    private Path lock;

    @BeforeEach
    void configureOneServer() throws IOException {
        config = folder.resolve("mcp.json");
        lock = folder.resolve("mcp.lock");
        configure("\"catalog\": {\"lock\": \"mcp.lock\"}");
    }

    @Test
    void firstRunWritesTheFile() throws IOException {
        var run = lock();

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("tool(s) of 1 server(s) in " + lock).contains("SIGHUP");
        assertThat(Files.readString(lock)).contains("\"demo\"", "\"echo\"", "\"sha256\"");
    }

    @Test
    void secondRunFindsNoDifference() {
        lock();

        var run = lock();

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("every tool is as approved in " + lock);
    }

    @Test
    void differencesReturnExitCodeOne() throws IOException {
        writeOther();

        var run = lock();

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.out())
                .contains("new demo.echo: it is not approved", "gone demo.old: its server no longer lists it")
                .contains("'mcp-bridge lock --diff' shows how")
                .doesNotContain("+ /description");
    }

    @Test
    void diffShowsFieldByField() throws IOException {
        writeOther();

        var run = lock("--diff");

        assertThat(run.exitCode()).isEqualTo(ExitCode.TOOL_ERROR);
        assertThat(run.out()).contains("  + /name: \"echo\"", "  + /inputSchema: ");
        assertThat(Files.readString(lock)).contains("\"old\"");
    }

    @Test
    void approvalUpdatesTheFile() throws IOException {
        writeOther();

        var run = lock("--approve");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("new demo.echo", "approved");
        assertThat(Files.readString(lock)).contains("\"echo\"").doesNotContain("\"old\"");
        assertThat(lock().exitCode()).isEqualTo(ExitCode.OK);
    }

    @Test
    void toolsOfClientsWithCapabilitiesAreApprovedToo() throws IOException {
        configureCapabilityDependentServer("", "");

        var run = lock();

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("approved 3 tool(s) of 1 server(s)");
        assertThat(Files.readString(lock))
                .contains("\"same\"", "\"ask\"", "for all")
                .doesNotContain("for some");
        assertThat(run.err())
                .contains("server 'choosy' defines [other] differently for clients with the capabilities elicitation");
        assertThat(lock("--diff").out()).contains("every tool is as approved");
    }

    @Test
    void unreachableServerIsNamedAndKeepsItsApprovals() throws IOException {
        writeOther();
        Files.writeString(
                config, "{\"mcpServers\": {\"demo\": {\"path\": \"%s\"}}}".formatted(folder.resolve("absent.sock")));

        var run = lock("--approve");

        assertThat(run.exitCode()).isEqualTo(ExitCode.CANNOT_CONNECT);
        assertThat(run.err()).contains("cannot list the tools of server 'demo'; its approved definitions stay: ");
        assertThat(Files.readString(lock)).contains("\"old\"");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void serversAreSandboxedAsInTheDaemonAndNotStartedPerCall() throws IOException {
        var starts = folder.resolve("starts");
        configureCapabilityDependentServer(
                "grep NoNewPrivs /proc/self/status >> " + starts, "\"isolation\": \"call\", ");
        assumeTrue(SandboxReport.of(BridgeConfiguration.read(config, Map.of()))
                .missing()
                .isEmpty());

        var run = lock();

        assertThat(run.err()).doesNotContain("cannot list");
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        // Once with client capabilities, once without.
        assertThat(Files.readAllLines(starts)).containsExactly("NoNewPrivs:\t1", "NoNewPrivs:\t1");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void directlyCalledServerIsSandboxedToo() throws IOException {
        var starts = folder.resolve("starts");
        var script = configureCapabilityDependentServer("grep NoNewPrivs /proc/self/status >> " + starts, "");
        assumeTrue(SandboxReport.of(BridgeConfiguration.read(config, Map.of())).servers().values().stream()
                .allMatch(level -> level.covers(SandboxLevel.L1)));

        RunCommand.of("tools", "--command", "/bin/sh " + script);

        assertThat(Files.readAllLines(starts)).containsExactly("NoNewPrivs:\t1");
    }

    @Test
    void unknownServerIsRejectedWithTheNearestName() {
        var run = lock("dmeo");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("there is no enabled server 'dmeo'", "did you mean 'demo'?");
    }

    @Test
    void diffAndApprovalExcludeEachOther() {
        assertThat(lock("--diff", "--approve").exitCode()).isEqualTo(ExitCode.USAGE);
    }

    private void configure(String bridge) throws IOException {
        Files.writeString(config, """
            {"mcpServers": {"demo": {"command": "%s",
              "args": ["-XX:TieredStopAtLevel=1", "-cp", "%s", "io.mcpbridge.cli.Main", "demo-server"]}},
             "bridge": {%s}}
            """.formatted(JAVA, System.getProperty("java.class.path"), bridge));
    }

    /** A server that lists other tools to clients with all capabilities. */
    private Path configureCapabilityDependentServer(String first, String keys) throws IOException {
        var script = folder.resolve("choosy.sh");
        Files.writeString(script, first + """

            word='for all'
            more=''
            while read -r line; do
              id=$(printf '%s' "$line" | sed -n 's/.*"id":\\("[^"]*"\\|[0-9]*\\).*/\\1/p')
              case "$line" in
                *'"elicitation":{"form":{},"url":{}}'*'"roots"'*'"sampling"'*)
                  word='for some'
                  more=',{"name":"ask","inputSchema":{"type":"object"}}' ;;
              esac
              case "$line" in
                *'"initialize"'*)
                  result='"protocolVersion":"2025-11-25","capabilities":{"tools":{}}'
                  result="$result"',"serverInfo":{"name":"choosy","version":"1"}' ;;
                *'"tools/list"'*)
                  result='"tools":[{"name":"same","inputSchema":{"type":"object"}},'
                  result="$result"'{"name":"other","description":"'"$word"'","inputSchema":{"type":"object"}}'"$more]" ;;
                *) result='' ;;
              esac
              if [ -n "$id" ] && [ -n "$result" ]; then
                printf '{"jsonrpc":"2.0","id":%s,"result":{%s}}\\n' "$id" "$result"
              elif [ -n "$id" ]; then
                printf '{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"unknown"}}\\n' "$id"
              fi
            done
            """);
        Files.writeString(config, """
            {"mcpServers": {"choosy": {%s"command": "/bin/sh", "args": ["%s"]}},
             "bridge": {"catalog": {"lock": "mcp.lock"}}}
            """.formatted(keys, script));
        return script;
    }

    /** A file with one other approved tool. */
    private void writeOther() throws IOException {
        Files.writeString(lock, """
            {"lockVersion": 1, "servers": {"demo": {"old": {
              "sha256": "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
              "definition": {}}}}}
            """);
    }

    private RunCommand lock(String... arguments) {
        var all = new ArrayList<>(List.of("lock", "--config", config.toString()));
        all.addAll(List.of(arguments));
        return RunCommand.of(all.toArray(new String[0]));
    }
}
