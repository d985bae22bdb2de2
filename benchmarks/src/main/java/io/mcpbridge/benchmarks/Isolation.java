package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Measures the cost of one process per call, compared with calls over a shared session in the same run: one caller that
 * gives the pool time to refill, and eight that do not. Takes about a minute.
 */
final class Isolation {
    private static final Duration WARM_UP = Duration.ofSeconds(1);
    private static final Duration SPAN = Duration.ofSeconds(4);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int CALLERS = 8;
    private static final double GOAL_MILLIS = 10;
    private static final String POOL = ",\"isolation\":\"call\",\"maxMemoryMb\":0,\"pool\":{\"warm\":4,\"max\":16}";

    private Isolation() {}

    public static void main(String[] arguments) throws Exception {
        try (var opened = new Peers()) {
            var rows = new ArrayList<Row>();
            var warm = new LinkedHashMap<String, Row>();
            for (var server : MinimalServer.ALL) {
                if (server.isInstalled()) {
                    var measured = measure(server, opened);
                    rows.addAll(measured);
                    warm.put(server.name, measured.get(1));
                } else {
                    Goals.say("%s is not installed and not measured.%n".formatted(server.name));
                }
            }
            Goals.table(rows);
            warm.forEach((server, row) ->
                    Goals.atMost("p95 of a call from the warm pool, ms, " + server, GOAL_MILLIS, row.p95() / 1e3));
            Goals.noErrors("isolation", rows);
        }
    }

    private static List<Row> measure(MinimalServer server, Peers opened) throws Exception {
        var shared = opened.closing(new BridgeClient(server.section("")));
        var isolated = opened.closing(new BridgeClient(server.section(POOL)));
        var rows = List.of(
                new Row(server.name + ", shared, 100 ms apart", 1, new Paced(shared)),
                new Row(server.name + ", own process, 100 ms apart", 1, new Paced(isolated)),
                new Row(server.name + ", shared, no pause", CALLERS, shared),
                new Row(server.name + ", own process, no pause", CALLERS, isolated));
        for (var row : rows) {
            opened.closing(row).warmUp(WARM_UP);
            row.measure(SPAN);
        }
        return rows;
    }

    /** A caller that leaves time between its calls. */
    private record Paced(Contender contender) implements Contender {
        @Override
        public void prepare() throws InterruptedException {
            Thread.sleep(PAUSE.toMillis());
        }

        @Override
        public void call() throws Exception {
            contender.call();
        }

        @Override
        public void close() {}
    }

    /**
     * A minimal server in one of several languages, whose tool {@code echo} repeats its text.
     *
     * @param name of the language
     * @param command starts it
     */
    private record MinimalServer(String name, List<String> command) {
        private static final String WELCOME =
                "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"lone\",\"version\":\"1\"}}";
        private static final String TOOLS = "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}";

        private static final String SHELL = """
            while IFS= read -r line; do
              case $line in *'"id":'*) ;; *) continue ;; esac
              id=${line#*'"id":'}
              id=${id%%[,\\}]*}
              text=${line#*'"text":"'}
              case $line in
                *'"method":"initialize"'*) r='WELCOME' ;;
                *'"method":"tools/list"'*) r='TOOLS' ;;
                *) r='{"content":[{"type":"text","text":"'${text%%'"'*}'"}]}' ;;
              esac
              printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$r"
            done
            """;

        private static final String PYTHON = """
            import json, sys
            def done(message):
                return json.dumps({'content': [{'type': 'text', 'text': message['params']['arguments']['text']}]})
            results = {'initialize': 'WELCOME', 'tools/list': 'TOOLS'}
            for line in sys.stdin:
                message = json.loads(line)
                if 'id' in message:
                    result = results.get(message['method']) or done(message)
                    print('{"jsonrpc":"2.0","id":%d,"result":%s}' % (message['id'], result), flush=True)
            """;

        private static final String NODE = """
            const done = message => JSON.stringify({content: [{type: 'text', text: message.params.arguments.text}]});
            const results = {'initialize': 'WELCOME', 'tools/list': 'TOOLS'};
            require('readline').createInterface({input: process.stdin}).on('line', line => {
              const message = JSON.parse(line);
              if ('id' in message) {
                const result = results[message.method] || done(message);
                process.stdout.write('{"jsonrpc":"2.0","id":' + message.id + ',"result":' + result + '}\\n');
              }
            });
            """;

        private static final List<MinimalServer> ALL = List.of(
                new MinimalServer("sh", List.of("sh", "-c", filled(SHELL))),
                new MinimalServer("python3", List.of("python3", "-S", "-E", "-c", filled(PYTHON))),
                new MinimalServer("node", List.of("node", "-e", filled(NODE))));

        private static String filled(String script) {
            return script.replace("WELCOME", WELCOME).replace("TOOLS", TOOLS);
        }

        boolean isInstalled() {
            return Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                    .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
        }

        /** The members of its section of the configuration, with more keys. */
        String section(String more) {
            var arguments = command.stream().skip(1).map(JsonStrings::quote).collect(Collectors.joining(",", "[", "]"));
            return "\"command\":%s,\"args\":%s,\"protocol\":\"legacy\",\"breaker\":\"none\"%s"
                    .formatted(JsonStrings.quote(command.get(0)), arguments, more);
        }
    }
}
