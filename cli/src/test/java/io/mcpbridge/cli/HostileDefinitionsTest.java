package io.mcpbridge.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** K8: hidden characters in texts of a tool are shown escaped and flagged. */
@EnabledOnOs({OS.LINUX, OS.MAC})
@Timeout(120)
class HostileDefinitionsTest {
    @TempDir
    private Path folder;

    private Path config;
    private Path script;

    @BeforeEach
    void configureAHostileServer() throws IOException {
        config = folder.resolve("mcp.json");
        script = folder.resolve("hostile.sh");
        Files.writeString(script, """
            long=$(head -c 6000 /dev/zero | tr '\\0' x)
            while read -r line; do
              id=$(printf '%s' "$line" | sed -n 's/.*"id":\\("[^"]*"\\|[0-9]*\\).*/\\1/p')
              case "$line" in
                *'"initialize"'*)
                  result='"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"h","version":"1"}' ;;
                *'"tools/list"'*)
                  object='"inputSchema":{"type":"object"}'
                  result='"tools":[{"name":"ansi","description":"a\\u001b[2J\\u001b[31mred\\u0007",'"$object"'}'
                  result="$result"',{"name":"tags","description":"b\\udb40\\udc41\\u200b\\u202egnp.exe",'"$object"'}'
                  result="$result"',{"name":"raw","description":"c\u202ed\u200be",'"$object"'}'
                  result="$result"',{"name":"long","description":"'"$long"'",'"$object"'}]' ;;
                *'"fails"'*)
                  error='{"code":-32000,"message":"e\\u001b[2J\u202e\u009b"}'
                  printf '{"jsonrpc":"2.0","id":%s,"error":%s}\\n' "$id" "$error"
                  continue ;;
                *'"tools/call"'*)
                  result='"content":[{"type":"text","text":"one\\n\\ttwo\\u001b[2J\u202e\\u200b\\u0007"},{"type":"a\u202e"}]' ;;
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
            {"mcpServers": {"hostile": {"command": "/bin/sh", "args": ["%s"]}},
             "bridge": {"catalog": {"lock": "mcp.lock"}}}
            """.formatted(script));
        Files.writeString(folder.resolve("mcp.lock"), "{\"lockVersion\": 1, \"servers\": {}}");
    }

    @Test
    void k8DifferencesAreShownEscapedAndFlagged() {
        var run = lock("--diff");

        assertThat(run.out())
                .contains("hidden characters in /description: U+0007 U+001B", "U+202E", "U+200B", "U+E0041")
                .contains("/description has 6000 characters, which is more than people read");
        assertNoControlCharacters(run);
    }

    @Test
    void k8ApprovalShowsTheSameWarnings() {
        var run = lock("--approve");

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("hidden characters in /description");
        assertNoControlCharacters(run);
        assertNoControlCharacters(lock());
    }

    @Test
    void k8FirstRunShowsWarningsBeforeItWrites() throws IOException {
        Files.delete(folder.resolve("mcp.lock"));

        var run = lock();

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out())
                .containsSubsequence("hidden characters in /description: U+0007 U+001B", "U+202E", "approved 4 tool(s)")
                .contains("/description has 6000 characters, which is more than people read")
                .doesNotContain("+ /name");
        assertNoControlCharacters(run);
    }

    @Test
    void k8FirstRunNamesDefinitionsThatCannotBeCompared() throws IOException {
        Files.delete(folder.resolve("mcp.lock"));
        Files.writeString(
                script,
                Files.readString(script).replace("\"name\":\"ansi\"", "\"name\":\"ansi\",\"own\":1e99999999999"));

        var run = lock();

        assertThat(run.out())
                .contains("suspicious hostile.ansi: its definition cannot be compared: line 1: the number"
                        + " 1e99999999999 is out of");
        assertThat(run.err()).contains("the tool 'ansi' of server 'hostile' cannot be approved");
        assertThat(folder.resolve("mcp.lock")).doesNotExist();
    }

    @Test
    void k8ToolWithAnOverlongExposedNameIsOmitted() throws IOException {
        var name = "l".repeat(120);
        Files.writeString(script, Files.readString(script).replace("\"name\":\"ansi\"", "\"name\":\"" + name + "\""));

        var run = lock("--approve");
        var prefixed = Files.readString(folder.resolve("mcp.lock"));
        Files.writeString(
                config, Files.readString(config).replace("{\"catalog\"", "{\"names\": \"plain\", \"catalog\""));
        lock("--approve");

        assertThat(run.err())
                .contains("the tool '%s' of server 'hostile' is left out: clients would see it as 'hostile__%s', whose"
                        .formatted(name, name))
                .contains("129 characters break the rule");
        assertThat(prefixed).contains("\"tags\"").doesNotContain(name);
        assertThat(folder.resolve("mcp.lock")).content().contains(name);
    }

    @Test
    void searchWithoutAWordIsRejected() {
        var run = RunCommand.of("tools", "--command", "/bin/sh " + script, "--search", " - ");

        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains("'--search' is ' - ' but must have a word; leave it out to list all tools");
    }

    @Test
    void k8ToolListIsEscapedAndTruncated() {
        var run = RunCommand.of("tools", "--command", "/bin/sh " + script);

        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).contains("\\u{1b}[2J", "\\u{202e}", "\\u{200b}", "\\u{e0041}");
        assertThat(run.out().lines()).allMatch(line -> line.length() < 400);
        assertNoControlCharacters(run);
    }

    @Test
    void textsOfACallAreEscaped() {
        var run = call("ansi");

        assertThat(run.out())
                .isEqualToNormalizingNewlines(
                        "one\n\ttwo\\u{1b}[2J\\u{202e}\\u{200b}\\u{7}\n[a\\u{202e}; --json shows it]\n");
        assertNoControlCharacters(run);
    }

    @Test
    void errorsOfACallAreEscaped() {
        var run = call("fails", "--debug");

        assertThat(run.err()).contains("mcp-bridge: ", "e\\u{1b}[2J\\u{202e}\\u{9b}", "\tat io.mcpbridge.");
        assertNoControlCharacters(run);
    }

    @Test
    void jsonOfACallKeepsItsValue() {
        var run = call("ansi", "--json");

        assertThat(run.out()).contains("\"text\":\"one\\n\\ttwo\\u001B[2J\\u202e\\u200b\\u0007\"");
        assertNoControlCharacters(run);
    }

    @Test
    void rawTextsOfACallAreNotEscaped() {
        assertThat(call("ansi", "--raw").out()).contains("one\n\ttwo\u001b[2J\u202e\u200b\u0007");
        assertThat(call("ansi", "--raw", "--json").out()).contains("\\u001B[2J\u202e\u200b");
    }

    private RunCommand call(String tool, String... options) {
        var all = new ArrayList<>(List.of("call", tool, "--command", "/bin/sh " + script));
        all.addAll(List.of(options));
        return RunCommand.of(all.toArray(new String[0]));
    }

    private static void assertNoControlCharacters(RunCommand run) {
        assertThat(run.out() + run.err())
                .doesNotContain(
                        "\u001b", "\u0007", "\u009b", "\u202e", "\u200b", new String(Character.toChars(0xE0041)));
    }

    private RunCommand lock(String... arguments) {
        var all = new ArrayList<>(List.of("lock", "--config", config.toString()));
        all.addAll(List.of(arguments));
        return RunCommand.of(all.toArray(new String[0]));
    }
}
