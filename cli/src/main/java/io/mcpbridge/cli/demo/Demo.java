package io.mcpbridge.cli.demo;

import io.mcpbridge.CallOptions;
import io.mcpbridge.Connection;
import io.mcpbridge.StandardEnvironment;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The main job on servers of our own: a daemon with a server of each kind behind it and a client at each front,
 * calls through all of them, and a server that is killed. Every statement it makes is checked.
 */
public final class Demo {
    private static final int CALLS = 100;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Report report;

    /** Tells each line to {@code lines}, with picocli's markup. */
    public Demo(Consumer<String> lines) {
        this.report = new Report(lines);
    }

    /** Runs it; true only if everything held. Leaves no process, no socket and no file behind. */
    public boolean run() throws IOException, InterruptedException {
        var folder = Files.createTempDirectory("mcp-bridge-demo");
        try (var environment = StandardEnvironment.open();
                var local = DemoServer.unix(folder.resolve("local").resolve("server.sock"), environment.environment());
                var web = DemoServer.http(environment.environment())) {
            local.start();
            web.start();
            run(folder, local.address(), web.address());
        } finally {
            DemoFolder.delete(folder);
        }
        report.check(!Files.exists(folder), "nothing is left in the file system");
        report.conclude();
        return report.allHeld();
    }

    private void run(Path folder, URI local, URI web) throws IOException, InterruptedException {
        var socket = folder.resolve("daemon").resolve("bridge.sock");
        var trail = folder.resolve("audit");
        var configuration = DemoConfiguration.ofAllKinds(local.getPath(), web.toString(), socket, trail);
        long child;
        try (var daemon = Daemon.start(configuration, DaemonOptions.DEFAULTS)) {
            report.heading("A daemon with three servers behind it");
            daemon.addresses().forEach(address -> report.tell("listens at " + address));
            try (var fronts = new Fronts(daemon, socket)) {
                fronts.all().forEach(this::calls);
                new EraChecks(report).run(daemon, fronts);
                progress(fronts.legacy());
                failures(fronts.legacy());
                report.heading("A server dies");
                child = kill(daemon, fronts);
                report.check(
                        daemon.clients().size() == fronts.all().size(),
                        "the registry shows %d clients: %s"
                                .formatted(
                                        fronts.all().size(),
                                        daemon.clients().stream()
                                                .map(client -> client.network())
                                                .sorted()
                                                .toList()));
            }
        }
        report.heading("After the end");
        report.check(
                !ProcessHandle.of(child).map(ProcessHandle::isAlive).orElse(false),
                "the server's process %d is gone".formatted(child));
        report.check(!Files.exists(socket), "the socket is gone");
        new TrailChecks(report).run(trail);
    }

    private void calls(String front, Connection client) {
        report.heading(Character.toUpperCase(front.charAt(0)) + front.substring(1));
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
                        "%d calls to '%s' came back right; p50 %s, p99 %s"
                                .formatted(CALLS, server, percentile(times, 50), percentile(times, 99)));
            }
        } catch (BridgeException | InterruptedException failed) {
            report.check(false, "calls through this front: " + failed.getMessage());
        }
    }

    private void progress(Connection client) throws InterruptedException {
        report.heading("Progress, failures, time-outs");
        var steps = new AtomicInteger();
        var result = client.callTool(
                "child__count", Map.of("to", 5), CallOptions.DEFAULTS.withProgress(json -> steps.incrementAndGet()));
        report.check(
                steps.get() == 5 && result.text().equals("counted to 5"),
                "%d progress notifications came before the result".formatted(steps.get()));
    }

    private void failures(Connection client) throws InterruptedException {
        report.check(
                client.callTool("web__fail", Map.of()).isError(), "a tool's own error is a result and no exception");
        var begun = System.nanoTime();
        try {
            client.callTool(
                    "child__count", Map.of("to", 1_000), CallOptions.DEFAULTS.withTimeout(Duration.ofMillis(300)));
            report.check(false, "a call that takes too long times out");
        } catch (CallTimedOutException late) {
            var millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            report.check(
                    millis < 3_000,
                    "a call that takes too long times out, after %d ms: %s".formatted(millis, late.getMessage()));
        }
        try {
            client.callTool("nobody__echo", Map.of());
            report.check(false, "an unknown tool is refused");
        } catch (BridgeException refused) {
            report.check(true, "an unknown tool is refused: " + refused.getMessage());
        }
    }

    /** Kills the child and shows that the clients' sessions go on; returns the process of the new one. */
    private long kill(Daemon daemon, Fronts fronts) throws InterruptedException {
        var before = pid(daemon);
        ProcessHandle.of(before).ifPresent(ProcessHandle::destroyForcibly);
        report.tell("killed the process %d of server 'child'".formatted(before));
        for (var front : fronts.all().entrySet()) {
            var result = callUntilItAnswers(front.getValue());
            report.check(result.text().equals("again"), "the session of %s goes on".formatted(front.getKey()));
        }
        var after = pid(daemon);
        report.check(before != after, "the server was started again, as process %d".formatted(after));
        return after;
    }

    /** The first call may hear that the server is gone; a client that asks again gets its answer. */
    private static ToolResult callUntilItAnswers(Connection client) throws InterruptedException {
        var until = System.nanoTime() + PATIENCE.toNanos();
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
}
