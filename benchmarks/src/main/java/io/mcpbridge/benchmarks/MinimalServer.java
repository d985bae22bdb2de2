package io.mcpbridge.benchmarks;

import io.mcpbridge.message.JsonStrings;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A minimal server with the tool {@code echo} in one of several languages.
 *
 * @param name of the language
 * @param command starts it
 */
record MinimalServer(String name, List<String> command) {
    private static final String WELCOME =
            "{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},\"serverInfo\":{\"name\":\"lone\",\"version\":\"1\"}}";
    private static final String TOOLS = "{\"tools\":[{\"name\":\"echo\",\"inputSchema\":{\"type\":\"object\"}}]}";
    private static final String DONE = "{\"content\":[{\"type\":\"text\",\"text\":\"done\"}]}";

    private static final String SHELL = """
        while IFS= read -r line; do
          case $line in *'"id":'*) ;; *) continue ;; esac
          id=${line#*'"id":'}
          id=${id%%[,\\}]*}
          case $line in
            *'"method":"initialize"'*) r='WELCOME' ;;
            *'"method":"tools/list"'*) r='TOOLS' ;;
            *) r='DONE' ;;
          esac
          printf '{"jsonrpc":"2.0","id":%s,"result":%s}\\n' "$id" "$r"
        done
        """;

    private static final String PYTHON = """
        import json, sys
        results = {'initialize': 'WELCOME', 'tools/list': 'TOOLS'}
        for line in sys.stdin:
            message = json.loads(line)
            if 'id' in message:
                result = results.get(message['method'], 'DONE')
                print('{"jsonrpc":"2.0","id":%d,"result":%s}' % (message['id'], result), flush=True)
        """;

    private static final String NODE = """
        const results = {'initialize': 'WELCOME', 'tools/list': 'TOOLS'};
        require('readline').createInterface({input: process.stdin}).on('line', line => {
          const message = JSON.parse(line);
          if ('id' in message) {
            const result = results[message.method] || 'DONE';
            process.stdout.write(`{"jsonrpc":"2.0","id":${message.id},"result":${result}}\\n`);
          }
        });
        """;

    static final List<MinimalServer> ALL = List.of(
            new MinimalServer("sh", List.of("/bin/sh", "-c", filled(SHELL))),
            new MinimalServer("python3", List.of("python3", "-S", "-E", "-c", filled(PYTHON))),
            new MinimalServer("node", List.of("node", "-e", filled(NODE))));

    private static String filled(String script) {
        return script.replace("WELCOME", WELCOME).replace("TOOLS", TOOLS).replace("DONE", DONE);
    }

    /** The members of its section of the configuration, with more keys. */
    String section(String more) {
        var arguments = command.stream().skip(1).map(JsonStrings::quote).collect(Collectors.joining(",", "[", "]"));
        return "\"command\":%s,\"args\":%s,\"protocol\":\"legacy\",\"breaker\":\"none\"%s"
                .formatted(JsonStrings.quote(command.get(0)), arguments, more);
    }
}
