package io.mcpbridge.cli.demo;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.agents.AgentResult;
import io.mcpbridge.audit.file.FileAuditSettings;
import io.mcpbridge.audit.record.RecordType;
import io.mcpbridge.audit.verify.AuditReader;
import io.mcpbridge.audit.verify.AuditVerifier;
import io.mcpbridge.cli.trail.TextTrailForm;
import io.mcpbridge.cli.trail.TrailFilter;
import io.mcpbridge.cli.trail.TrailOutput;
import io.mcpbridge.cli.trail.TrailViewer;
import io.mcpbridge.cli.trail.VerificationMaterial;
import io.mcpbridge.cli.trail.VerificationMaterial.KeptCopy;
import io.mcpbridge.cli.trail.VerificationResult;
import io.mcpbridge.engine.ManagedServerStatus;
import io.mcpbridge.failure.BridgeException;
import io.mcpbridge.failure.CallTimedOutException;
import io.mcpbridge.gateway.Daemon;
import io.mcpbridge.gateway.DaemonOptions;
import io.mcpbridge.tool.ToolDefinition;
import io.mcpbridge.tool.ToolResult;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Runs a daemon with one server per transport and one client per listener: calls through all of them, errors, and a
 * killed server. It checks every statement that it prints.
 */
public final class Demo {
    private static final int CALLS = 100;
    private static final int SHOWN_CALLS = 5;
    private static final int TRAIL_WIDTH = 100;
    private static final Map<String, String> ERAS = Map.of("child", "modern", "local", "legacy", "web", "modern");
    private static final Duration RECOVERY_TIMEOUT = Duration.ofSeconds(30);

    private final Report report;

    /** @param lines receives each line, with picocli's markup */
    public Demo(Consumer<String> lines) {
        this.report = new Report(lines);
    }

    /** Runs the demo; true only if all checks passed. Leaves no process, socket or file behind. */
    public boolean run() throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("mcp-bridge-demo");
        try (var environment = StandardEnvironment.open();
                var local = DemoServer.unix(folder.resolve("local").resolve("server.sock"), environment.environment());
                var web = DemoServer.http(environment.environment())) {
            local.start();
            web.start();
            run(folder, local.address(), web.address());
        } finally {
            delete(folder);
        }
        report.check(!Files.exists(folder), "no files are left");
        report.conclude();
        return report.allHeld();
    }

    private void run(Path folder, URI local, URI web) throws IOException, InterruptedException {
        var socket = folder.resolve("daemon").resolve("bridge.sock");
        var trail = folder.resolve("audit");
        var configuration = DemoConfiguration.ofAllKinds(local.getPath(), web.toString(), socket, trail);
        long child;
        String workflowTrace;
        try (var daemon = Daemon.start(configuration, DaemonOptions.DEFAULTS)) {
            report.heading("A daemon with three servers behind it");
            daemon.addresses().forEach(address -> report.line("listening at " + address));
            try (var clients = new DemoClients(daemon, socket)) {
                for (var client : clients.all().entrySet()) {
                    calls(client.getKey(), client.getValue());
                }
                eras(daemon, clients);
                progress(clients.legacy());
                failures(clients.legacy());
                workflowTrace = workflow(clients.legacy());
                agent(clients.modern());
                report.heading("A killed server");
                child = kill(daemon, clients);
                report.check(
                        daemon.clients().size() == clients.all().size(),
                        "the registry shows %d clients: %s"
                                .formatted(
                                        clients.all().size(),
                                        daemon.clients().stream()
                                                .map(client -> client.network())
                                                .sorted()
                                                .toList()));
            }
        }
        report.heading("After the shutdown");
        report.check(
                !ProcessHandle.of(child).map(ProcessHandle::isAlive).orElse(false),
                "the server's process %d is gone".formatted(child));
        report.check(!Files.exists(socket), "the socket is gone");
        trail(trail, workflowTrace);
    }

    private void calls(String name, Connection client) throws InterruptedException {
        report.heading(Character.toUpperCase(name.charAt(0)) + name.substring(1));
        try {
            var names = client.listTools().stream().map(ToolDefinition::name).toList();
            report.check(
                    names.size() == 12 && names.contains("child__echo"),
                    "sees the %d tools of all servers: %s …"
                            .formatted(names.size(), names.subList(0, Math.min(3, names.size()))));
            for (var server : List.of("child", "local", "web")) {
                var times = new ArrayList<Long>();
                var isRight = true;
                for (int i = 0; i < CALLS; i++) {
                    var begun = System.nanoTime();
                    var result = client.callTool(server + "__echo", Map.of("message", "call " + i));
                    times.add(System.nanoTime() - begun);
                    isRight &= result.text().equals("call " + i);
                }
                report.check(
                        isRight,
                        "%d calls to '%s' returned the right result; p50 %s, p99 %s"
                                .formatted(CALLS, server, percentile(times, 50), percentile(times, 99)));
            }
        } catch (BridgeException failed) {
            report.check(false, "calls of this client: " + failed.getMessage());
        }
    }

    /** Checks that clients of each era can use servers of the other: resources, prompts and elicitation. */
    private void eras(Daemon daemon, DemoClients demoClients) throws InterruptedException {
        report.heading("Two eras of the protocol");
        var servers = daemon.servers().stream()
                .collect(Collectors.toMap(ManagedServerStatus::name, ManagedServerStatus::era));
        report.check(
                servers.equals(ERAS),
                "server 'local' uses the %s protocol, 'web' and 'child' the %s one"
                        .formatted(servers.get("local"), servers.get("web")));
        var clients =
                daemon.clients().stream().map(client -> client.era()).sorted().toList();
        report.check(
                clients.contains("legacy") && clients.contains("modern"),
                "the clients use: %s".formatted(String.join(", ", clients)));
        across("the modern client, the legacy server", "local", demoClients.modern(), demoClients);
        across("the legacy client, the modern server", "web", demoClients.legacy(), demoClients);
    }

    private void across(String who, String server, Connection client, DemoClients demoClients)
            throws InterruptedException {
        var kind = server.equals("local") ? "unix" : "http";
        try {
            var note = client.server().readResource("demo://" + kind + "/note").text();
            report.check(note.contains("a note of the server over " + kind), who + ": reads its resource");
            var prompt = client.server()
                    .getPrompt(server + "__greet", Map.of("who", "Ada"))
                    .json()
                    .text();
            report.check(prompt.contains("Greet Ada in one sentence."), who + ": gets its prompt");
            var before = demoClients.questions();
            var greeting = client.callTool(server + "__ask", Map.of()).text();
            var asked = demoClients.questions() - before;
            report.check(
                    asked == 1 && greeting.equals("Hello, Ada!"),
                    "%s: the server asks '%s' during a call, and the call returns '%s'"
                            .formatted(who, DemoHandler.QUESTION, greeting));
        } catch (BridgeException failed) {
            report.check(false, "%s: %s".formatted(who, failed.getMessage()));
        }
    }

    private void progress(Connection client) throws InterruptedException {
        report.heading("Progress, failures, time-outs");
        var steps = new AtomicInteger();
        var result = client.callTool(
                "child__count",
                Map.of("to", 5),
                CallOptions.DEFAULTS.withProgress(progress -> steps.incrementAndGet()));
        report.check(
                steps.get() == 5 && result.text().equals("counted to 5"),
                "%d progress notifications arrived before the result".formatted(steps.get()));
    }

    private void failures(Connection client) throws InterruptedException {
        report.check(
                client.callTool("web__fail", Map.of()).isError(), "an error of a tool is a result, not an exception");
        var begun = System.nanoTime();
        try {
            client.callTool(
                    "child__count", Map.of("to", 1_000), CallOptions.DEFAULTS.withTimeout(Duration.ofMillis(300)));
            report.check(false, "a slow call times out");
        } catch (CallTimedOutException late) {
            var millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            report.check(millis < 3_000, "a slow call times out after %d ms: %s".formatted(millis, late.getMessage()));
        }
        try {
            client.callTool("unknown__echo", Map.of());
            report.check(false, "an unknown tool is refused");
        } catch (BridgeException refused) {
            report.check(true, "an unknown tool is refused: " + refused.getMessage());
        }
    }

    /** Runs a workflow and returns its trace. */
    private String workflow(Connection client) throws InterruptedException {
        report.heading("A workflow and an agent");
        var result = DemoAutomation.runWorkflow(client, "hello");
        report.check(
                List.of("hello", "counted to 2").equals(result.value()),
                "a workflow of 3 steps over 2 servers: " + result.summary());
        return result.trace().traceId();
    }

    private void agent(Connection client) throws InterruptedException {
        var result = DemoAutomation.runAgent(client);
        report.check(
                result.stop() == AgentResult.Stop.ANSWERED
                        && result.calls().stream()
                                .map(AgentResult.Call::text)
                                .toList()
                                .equals(List.of("one", "two")),
                "an agent with a scripted model calls 2 tools and answers: " + result.text());
    }

    /** Kills the child and checks that the sessions of clients continue; returns the process id of the new one. */
    private long kill(Daemon daemon, DemoClients clients) throws InterruptedException {
        var before = pid(daemon);
        ProcessHandle.of(before).ifPresent(ProcessHandle::destroyForcibly);
        report.line("killed the process %d of server 'child'".formatted(before));
        for (var client : clients.all().entrySet()) {
            var result = callUntilItAnswers(client.getValue());
            report.check(result.text().equals("again"), "the session of %s continues".formatted(client.getKey()));
        }
        var after = pid(daemon);
        report.check(before != after, "the server was restarted as process %d".formatted(after));
        return after;
    }

    /** The first call may fail because the server is gone; a later one succeeds. */
    private static ToolResult callUntilItAnswers(Connection client) throws InterruptedException {
        var until = System.nanoTime() + RECOVERY_TIMEOUT.toNanos();
        while (true) {
            try {
                return client.callTool("child__echo", Map.of("message", "again"));
            } catch (BridgeException notYet) {
                if (System.nanoTime() > until) {
                    throw notYet;
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    /** Shows and verifies the audit trail of the daemon. */
    private void trail(Path folder, String workflowTrace) throws IOException {
        report.heading("The audit trail");
        var lines = TextTrailForm.fitting(TRAIL_WIDTH, UnaryOperator.identity());
        TrailViewer.at(folder, lines, report).showLast(SHOWN_CALLS, TrailFilter.ALL);
        checkPairs(folder, workflowTrace);
        var key = FileAuditSettings.in(folder).publicKey();
        var verdict = VerificationResult.of(
                folder,
                new VerificationMaterial(VerificationMaterial.Keys.beside(key), KeptCopy.NONE),
                AuditVerifier.Range.ALL);
        report.check(verdict.holds(), "verified: " + verdict.conclusion());
    }

    private void checkPairs(Path folder, String workflowTrace) throws IOException {
        var traced = 0;
        var begun = new HashSet<String>();
        var open = new HashSet<String>();
        try (var reader = AuditReader.open(folder)) {
            for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                var record = next.get();
                var call = record.text("correlationId").orElse("");
                if (record.type() == RecordType.ENTER) {
                    traced +=
                            record.text("traceId").filter(workflowTrace::equals).isPresent() ? 1 : 0;
                    begun.add(call);
                    open.add(call);
                } else if (record.type() == RecordType.EXIT) {
                    open.remove(call);
                }
            }
        }
        report.check(
                !begun.isEmpty() && open.isEmpty(),
                "each of the %d calls was recorded before it was sent, and when it had ended".formatted(begun.size()));
        report.check(traced == 3, "the 3 calls of the workflow are one trace: " + workflowTrace);
    }

    private static long pid(Daemon daemon) {
        return daemon.servers().stream()
                .filter(server -> server.name().equals("child"))
                .mapToLong(server -> server.pid().orElse(-1))
                .findFirst()
                .orElse(-1);
    }

    private static String percentile(List<Long> nanos, int percent) {
        var sorted = nanos.stream().sorted().toList();
        return "%d µs".formatted(TimeUnit.NANOSECONDS.toMicros(sorted.get((sorted.size() - 1) * percent / 100)));
    }

    private static void delete(Path folder) throws IOException {
        try (var inside = Files.walk(folder)) {
            for (var path : inside.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    /** Prints the steps of the demo and counts passed and failed checks. Not thread-safe. */
    private static final class Report implements TrailOutput {
        private final Consumer<String> lines;
        private int held;
        private int failed;

        private Report(Consumer<String> lines) {
            this.lines = lines;
        }

        void heading(String text) {
            lines.accept("");
            lines.accept("@|bold " + text + "|@");
        }

        @Override
        public void line(String text) {
            lines.accept("  " + text);
        }

        /** Prints a statement with the result of its check. */
        void check(boolean holds, String statement) {
            if (holds) {
                held++;
                lines.accept("  @|green ok|@    " + statement);
            } else {
                failed++;
                lines.accept("  @|red FAILED|@ " + statement);
            }
        }

        boolean allHeld() {
            return failed == 0 && held > 0;
        }

        void conclude() {
            lines.accept("");
            lines.accept(
                    allHeld()
                            ? "@|bold,green All %d checks passed.|@".formatted(held)
                            : "@|bold,red %d of %d checks failed.|@".formatted(failed, held + failed));
        }

        @Override
        public void remark(String text) {
            check(false, text);
        }

        @Override
        public boolean isClosed() {
            return false;
        }
    }
}
