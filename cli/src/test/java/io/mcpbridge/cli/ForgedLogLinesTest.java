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
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Servers and clients that try to forge log lines of a daemon. */
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class ForgedLogLinesTest {
    /** As JSON: a line end, a forged line, and a terminal control sequence. */
    private static final String FORGED = "x\\n2026-01-01T00:00:00.000 SEVERE  forged\\r\\u001b[2J\\u0000\\u202e\\u2028";

    private static final Pattern LINE = Pattern.compile(
            "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3} [A-Z]+ +\\[mcp-bridge] .*|\tat .*|Caused by: .*");

    private static final String SERVER = """
        long=$(head -c 6000 /dev/zero | tr '\\0' x)
        while read -r line; do
          id=$(printf '%s' "$line" | sed -n 's/.*"id":\\("[^"]*"\\|[0-9]*\\).*/\\1/p')
          case "$line" in
            *'"initialize"'*)
              body='"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"h","version":"1"}}' ;;
            *'"tools/list"'*)
              if [ "$1" = fails ]; then
                body='"error":{"code":-32000,"message":"FORGED"}'
              else
                body='"result":{"tools":[{"name":"FORGED","inputSchema":{"type":"object"}},{"name":"'"$long"'","inputSchema":{"type":"object"}}]}'
              fi ;;
            *'"resources/list"'*)
              body='"result":{"resources":[{"uri":"a:FORGED","name":"r"},{"uri":"FORGED","name":"r"},{"uri":5,"name":"FORGED"}]}' ;;
            *'"resources/templates/list"'*)
              body='"result":{"resourceTemplates":[{"uriTemplate":"a:{FORGED","name":"r"},{"uriTemplate":"FORGED","name":"r"}]}' ;;
            *'"prompts/get"'*) exit 1 ;;
            *) body='"result":{}' ;;
          esac
          [ -z "$id" ] || printf '{"jsonrpc":"2.0","id":%s,%s}\\n' "$id" "$body"
        done
        """;

    @TempDir
    private Path folder;

    @Test
    void onlyTheDaemonWritesLogLines() throws Exception {
        var daemon = start();
        try {
            sendRequests(daemon);
        } finally {
            daemon.getOutputStream().close();
            daemon.waitFor(30, TimeUnit.SECONDS);
            daemon.destroyForcibly();
        }

        var log = Files.readString(folder.resolve("log"));
        assertThat(log)
                .contains("but must be [A-Za-z0-9_.-]{1,128}", "are missing from the list", "has it too")
                .contains(
                        "the tool 'x\\u{a}2026-",
                        "answered with error -32000: x\\u{a}2026-",
                        "Retrying one.x\\u{a}2026-")
                .contains("\\u{1b}[2J\\u{0}\\u{202e}\\u{2028}");
        assertThat(log.lines()).allMatch(line -> LINE.matcher(line).matches());
        assertThat(log.lines()).allMatch(line -> line.length() < 2_000);
        assertThat(log.replaceAll("[\n\t]", "")).doesNotMatch("(?s).*[\\p{Cc}\\p{Cf}\\u2028].*");
    }

    private void sendRequests(Process daemon) throws IOException {
        var out = daemon.inputReader(StandardCharsets.UTF_8);
        ask(
                daemon,
                out,
                "initialize",
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"" + FORGED
                        + "\",\"version\":\"1\"}}");
        for (var list : List.of("tools/list", "resources/list", "resources/templates/list", "prompts/list")) {
            ask(daemon, out, list, "{}");
        }
        ask(daemon, out, "prompts/get", "{\"name\":\"one__" + FORGED + "\"}");
        ask(daemon, out, FORGED, "{}");
    }

    private void ask(Process daemon, BufferedReader out, String method, String params) throws IOException {
        daemon.outputWriter(StandardCharsets.UTF_8)
                .append("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":%s}%n".formatted(method, params))
                .flush();
        String line;
        do {
            line = out.readLine();
        } while (line != null && !line.contains("\"id\":1"));
        assertThat(line).as(Files.readString(folder.resolve("log"))).isNotNull();
    }

    private Process start() throws IOException {
        var script = Files.writeString(folder.resolve("server.sh"), SERVER.replace("FORGED", FORGED));
        var config = Files.writeString(folder.resolve("mcp.json"), """
            {"mcpServers": {
               "one": {"command": "/bin/sh", "args": ["%1$s"], "retry-delay": "1ms"},
               "two": {"command": "/bin/sh", "args": ["%1$s"], "retry-delay": "1ms"},
               "three": {"command": "/bin/sh", "args": ["%1$s", "fails"]}},
             "bridge": {"listen": {"stdio": {}}}}
            """.formatted(script));
        var words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "io.mcpbridge.cli.Main"));
        words.addAll(List.of("serve", "--config", config.toString()));
        return new ProcessBuilder(words)
                .redirectError(folder.resolve("log").toFile())
                .start();
    }
}
