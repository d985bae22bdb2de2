package io.mcpbridge.benchmarks;

import io.mcpbridge.Bridge;
import io.mcpbridge.BridgeOptions;
import io.mcpbridge.config.BridgeConfiguration;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * The cost of one process per call, compared with calls over a shared session in the same run: one caller that leaves the
 * pool time to refill, and eight that do not. Takes about 40 seconds.
 */
final class Isolation {
    private static final Duration SPAN = Duration.ofSeconds(4);
    private static final Duration PAUSE = Duration.ofMillis(100);
    private static final int CALLERS = 8;
    private static final double GOAL_MILLIS = 10;
    private static final String POOL = ",\"isolation\":\"call\",\"maxMemoryMb\":0,\"pool\":{\"warm\":4,\"max\":16}";

    private Isolation() {}

    /** The sorted latencies of some callers, in nanoseconds. */
    private record Latencies(List<Long> nanos, double perSecond) {
        private double millis(double share) {
            return nanos.get((int) (share * (nanos.size() - 1))) / 1e6;
        }

        private String line(String server, String what) {
            return "| %-8s | %-36s | %8.2f | %8.2f | %9.1f |"
                    .formatted(server, what, millis(0.5), millis(0.95), perSecond);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Goals.say("| %-8s | %-36s | %8s | %8s | %9s |".formatted("child", "calls", "p50 ms", "p95 ms", "calls/s"));
        var overheads = new ArrayList<Double>();
        for (var server : LoneServer.ALL) {
            overheads.add(measure(server));
        }
        for (int i = 0; i < overheads.size(); i++) {
            Goals.atMost(
                    "p95 of a call from the warm pool, ms, "
                            + LoneServer.ALL.get(i).name(),
                    GOAL_MILLIS,
                    overheads.get(i));
        }
    }

    /** Returns the p95 of a call that finds the pool warm, in milliseconds. */
    private static double measure(LoneServer server) throws Exception {
        try (var shared = open(server, "");
                var isolated = open(server, POOL)) {
            run(shared, 1, Duration.ZERO, Duration.ofSeconds(1));
            run(isolated, 1, PAUSE, Duration.ofSeconds(1));
            var paced = run(shared, 1, PAUSE, SPAN);
            var fast = run(shared, CALLERS, Duration.ZERO, SPAN);
            var warm = run(isolated, 1, PAUSE, SPAN);
            var full = run(isolated, CALLERS, Duration.ZERO, SPAN);
            Goals.say(paced.line(server.name(), "shared, 1 caller, 100 ms apart"));
            Goals.say(warm.line(server.name(), "own process, 1 caller, 100 ms apart"));
            Goals.say(fast.line(server.name(), "shared, 8 callers, no pause"));
            Goals.say(full.line(server.name(), "own process, 8 callers, no pause"));
            return warm.millis(0.95);
        }
    }

    private static Bridge open(LoneServer server, String more) {
        var json = "{\"mcpServers\":{\"lone\":" + server.section(more) + "}}";
        return Bridge.open(BridgeConfiguration.parse(json, Path.of("."), System.getenv()), BridgeOptions.DEFAULTS);
    }

    private static Latencies run(Bridge bridge, int callers, Duration pause, Duration span) throws Exception {
        bridge.listTools("lone");
        var threads = Executors.newFixedThreadPool(callers);
        var begun = System.nanoTime();
        try {
            var lanes = new ArrayList<Callable<List<Long>>>();
            for (int i = 0; i < callers; i++) {
                lanes.add(() -> lane(bridge, pause, begun + span.toNanos()));
            }
            var all = new ArrayList<Long>();
            for (var lane : threads.invokeAll(lanes)) {
                all.addAll(lane.get());
            }
            Collections.sort(all);
            return new Latencies(all, all.size() / ((System.nanoTime() - begun) / 1e9));
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a call failed, so there is no result", failed.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private static List<Long> lane(Bridge bridge, Duration pause, long end) throws InterruptedException {
        var spans = new ArrayList<Long>();
        while (System.nanoTime() < end) {
            Thread.sleep(pause.toMillis());
            var begun = System.nanoTime();
            bridge.callTool("lone", "echo", Map.of());
            spans.add(System.nanoTime() - begun);
        }
        return spans;
    }
}
