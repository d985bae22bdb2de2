package io.mcpbridge.cli.demo;

import io.mcpbridge.Connection;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.ServerRecord;
import java.util.Map;
import java.util.stream.Collectors;

/** Shows that clients of either era use servers of the other one: resources, prompts, and questions of servers. */
final class EraChecks {
    private static final Map<String, String> ERAS = Map.of("child", "modern", "local", "legacy", "web", "modern");

    private final Report report;

    EraChecks(Report report) {
        this.report = report;
    }

    void run(Daemon daemon, Fronts fronts) throws InterruptedException {
        report.heading("Two eras of the protocol");
        var servers = daemon.servers().stream().collect(Collectors.toMap(ServerRecord::name, ServerRecord::era));
        report.check(
                servers.equals(ERAS),
                "behind the daemon, server 'local' speaks the %s protocol, 'web' and 'child' the %s one"
                        .formatted(servers.get("local"), servers.get("web")));
        var clients =
                daemon.clients().stream().map(client -> client.era()).sorted().toList();
        report.check(
                clients.contains("legacy") && clients.contains("modern"),
                "in front of it, its clients speak %s".formatted(String.join(", ", clients)));
        across("the modern client, the legacy server", "local", fronts.modern(), fronts);
        across("the legacy client, the modern server", "web", fronts.legacy(), fronts);
    }

    private void across(String who, String server, Connection client, Fronts fronts) throws InterruptedException {
        var kind = server.equals("local") ? "unix" : "http";
        try {
            var note = client.server().readResource("demo://" + kind + "/note").text();
            report.check(note.contains("a note of the server over " + kind), who + ": reads its resource");
            var prompt = client.server()
                    .getPrompt(server + "__greet", Map.of("who", "Ada"))
                    .json();
            report.check(prompt.contains("Greet Ada in one sentence."), who + ": gets its prompt");
            var before = fronts.questions();
            var greeting = client.callTool(server + "__ask", Map.of()).text();
            var asked = fronts.questions() - before;
            report.check(
                    asked == 1 && greeting.equals("Hello, Ada!"),
                    "%s: is asked '%s' in the middle of a call, which then ends with '%s'"
                            .formatted(who, DemoQuestion.TEXT, greeting));
        } catch (BridgeException failed) {
            report.check(false, "%s: %s".formatted(who, failed.getMessage()));
        }
    }
}
