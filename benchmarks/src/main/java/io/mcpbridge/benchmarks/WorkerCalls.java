package io.mcpbridge.benchmarks;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.workers.SandboxedCall;
import io.mcpbridge.workers.SandboxedTool;
import io.mcpbridge.workers.WorkerOptions;
import io.mcpbridge.workers.WorkerPool;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares calls of a tool in a warm worker with calls of the same tool in the process of its server, alternately over
 * the same Unix socket; then the time until a worker is warm.
 */
final class WorkerCalls {
    private static final String ANY = "{\"type\":\"object\"}";
    private static final int ROUNDS = 10;
    private static final int CALLS = 2_000;
    private static final int WARM_UP = 5_000;
    private static final int STARTS = 15;
    private static final long LOOK_EVERY_NANOS = 200_000;
    private static final int SINGLE_USES = 40;
    private static final double GOAL_MILLIS = 1;
    private static final double SINGLE_USE_GOAL_MILLIS = 2;
    private static final double CONTRACT_MILLIS = 10;

    private WorkerCalls() {}

    /** Returns its argument. */
    public static final class Repeat implements SandboxedTool {
        @Override
        public @Nullable Object run(SandboxedCall call) {
            return call.arguments().get("text");
        }
    }

    public static void main(String[] arguments) throws Exception {
        var folder = Files.createTempDirectory("mcp-bridge-workers");
        try {
            compare(folder.resolve("s.sock"));
            measureSingleUse(folder.resolve("single.sock"));
            measureStarts();
        } finally {
            Peers.delete(folder);
        }
    }

    private static ToolServer server(Path socket) {
        return ToolServer.create(ToolServerOptions.builder()
                .version("1")
                .listen("unix", Settings.of(Map.of("path", socket.toString())))
                .withoutGlobalHandlers()
                .build());
    }

    private static void compare(Path socket) throws Exception {
        var options = WorkerOptions.builder().maxCalls(1_000_000).build();
        try (var pool = WorkerPool.open(options);
                var server = server(socket)) {
            var handler = pool.handler(Repeat.class);
            server.registerTool(
                    "inside", ToolConfig.of(ANY), call -> call.arguments().get("text"));
            server.registerTool("worker", ToolConfig.of(ANY), handler);
            server.start();
            try (var inside = RawSocket.calling(socket, "inside");
                    var worker = RawSocket.calling(socket, "worker")) {
                Goals.say("%d rounds of %d calls each after %d, medians; workers at level %s"
                        .formatted(ROUNDS, CALLS, WARM_UP, handler.sandbox()));
                print(inside, worker);
            }
        }
    }

    private static void print(Contender inside, Contender worker) throws Exception {
        new Spans().measure(WARM_UP, inside::call);
        new Spans().measure(WARM_UP, worker::call);
        var here = new Spans();
        var there = new Spans();
        for (int i = 0; i < ROUNDS; i++) {
            here.measure(CALLS, inside::call);
            there.measure(CALLS, worker::call);
        }
        Goals.say("%n| call | p50 us | p95 us | p99 us |%n|---|---|---|---|".formatted());
        Goals.say(here.line("in the server's process"));
        Goals.say(there.line("in a warm worker"));
        Goals.begin();
        Goals.atMost("P12 p95 of a call in a warm worker, ms", GOAL_MILLIS, there.at(0.95) / 1e3);
        Goals.atMost("C4 p95 that a worker adds, ms", CONTRACT_MILLIS, (there.at(0.95) - here.at(0.95)) / 1e3);
    }

    /** Each call has a worker of its own, which is warm before the call. */
    private static void measureSingleUse(Path socket) throws Exception {
        var options = WorkerOptions.builder().maxCalls(1).build();
        try (var pool = WorkerPool.open(options);
                var server = server(socket)) {
            server.registerTool("worker", ToolConfig.of(ANY), pool.handler(Repeat.class));
            server.start();
            try (var worker = RawSocket.calling(socket, "worker")) {
                var micros = DoubleStream.builder();
                for (int i = 0; i < SINGLE_USES; i++) {
                    awaitIdle(pool);
                    var begun = System.nanoTime();
                    worker.call();
                    micros.add((System.nanoTime() - begun) / 1e3);
                }
                var sorted = micros.build().sorted().toArray();
                Goals.atMost(
                        "P12 p95 of a call in a worker for one call, ms",
                        SINGLE_USE_GOAL_MILLIS,
                        Spans.at(sorted, 0.95) / 1e3);
            }
        }
    }

    private static void awaitIdle(WorkerPool pool) {
        while (pool.state().idle() < 1) {
            LockSupport.parkNanos(LOOK_EVERY_NANOS);
        }
    }

    private static void measureStarts() throws Exception {
        new Spans().measure(1, WorkerCalls::start);
        var starts = new Spans();
        starts.measure(STARTS, WorkerCalls::start);
        Goals.figure("start of a plain worker until it is warm, ms", starts.at(0.5) / 1e3);
    }

    private static void start() {
        try (var environment = StandardEnvironment.open();
                var pool = WorkerPool.open(WorkerOptions.DEFAULTS, environment.environment())) {
            var unused = pool.handler(Repeat.class);
            awaitIdle(pool);
        }
    }
}
