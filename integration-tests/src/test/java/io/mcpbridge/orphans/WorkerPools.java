package io.mcpbridge.orphans;

import io.mcpbridge.server.ToolConfig;
import io.mcpbridge.server.ToolServer;
import io.mcpbridge.server.ToolServerOptions;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.SandboxSettings;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.InMemoryListener;
import io.mcpbridge.testkit.RawClient;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.tool.Json;
import io.mcpbridge.workers.ToolLimits;
import io.mcpbridge.workers.WorkerOptions;
import io.mcpbridge.workers.WorkerPool;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A pool at each level, with a call of {@link ForkingTool} in each. */
final class WorkerPools implements AutoCloseable {
    private static final ToolLimits SHORT = ToolLimits.DEFAULTS.withMaxExecution(Duration.ofSeconds(5));

    private final Marks marks;
    private final Map<SandboxLevel, ServedPool> pools = new LinkedHashMap<>();

    WorkerPools(List<SandboxLevel> levels, Marks marks) throws IOException, InterruptedException {
        this.marks = marks;
        for (var level : levels) {
            pools.put(level, served(level));
        }
    }

    private ServedPool served(SandboxLevel level) throws IOException, InterruptedException {
        var options = WorkerOptions.builder()
                .warm(0)
                .most(1)
                .variables(Map.of(Marks.NAME, marks.mark(level, "WORKER")))
                .confinement(new SandboxSettings(Optional.of(level), ProcessLimits.NONE));
        return new ServedPool(WorkerPool.open(options.build()));
    }

    /** Has the call of each level end so, which is begun at all levels before one is waited for. */
    void call(String how) throws IOException {
        begin(how.equals("TIME_OUT") ? "short" : "parenthood", how);
        for (var pool : pools.values()) {
            pool.awaitAnswer();
        }
    }

    /** Waits until all calls have all their children. */
    void begin() throws IOException {
        begin("parenthood", "WAIT");
        Eventually.holds(Duration.ofSeconds(90), () -> "all children, but there are " + marks.counts(), () -> {
            var counts = marks.counts();
            return pools.keySet().stream()
                    .allMatch(level -> counts.getOrDefault(level, Map.of()).containsKey(ForkingTool.LAST));
        });
    }

    private void begin(String tool, String how) throws IOException {
        for (var each : pools.entrySet()) {
            each.getValue().begin(tool, how, marks.run() + "." + each.getKey());
        }
    }

    @Override
    public void close() {
        pools.values().parallelStream().forEach(ServedPool::close);
    }

    /** A server whose tools run in one pool, and a client that calls them. For one thread. */
    private static final class ServedPool implements AutoCloseable {
        private final InMemoryListener listener = new InMemoryListener();
        private final WorkerPool pool;
        private final ToolServer server;
        private final RawClient client;

        private ServedPool(WorkerPool pool) throws IOException, InterruptedException {
            this.pool = pool;
            server = ToolServer.create(ToolServerOptions.builder()
                    .version("1")
                    .listen(listener)
                    .logger(new RecordingLogger())
                    .withoutGlobalHandlers()
                    .build());
            add("parenthood", ToolLimits.DEFAULTS);
            add("short", SHORT);
            server.start();
            client = listener.connect();
            client.send(
                    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
                            + "\"clientInfo\":{\"name\":\"c\",\"version\":\"1\"},\"capabilities\":{}}}");
            client.receive();
            client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
        }

        private void add(String name, ToolLimits limits) {
            var config = ToolConfig.of("{\"type\":\"object\"}").inParallel();
            server.registerTool(name, config, pool.handler(ForkingTool.class, limits));
        }

        private void begin(String tool, String how, String marks) throws IOException {
            var params = Map.of("name", tool, "arguments", Map.of("do", how, "value", marks));
            client.send("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":%s}"
                    .formatted(Json.of(params).text()));
        }

        /** Waits for the answer to the call. */
        private void awaitAnswer() throws IOException {
            while (!Json.parse(client.receive()).asMap().containsKey("id")) {
                // A notification precedes the answer.
            }
        }

        @Override
        public void close() {
            server.close();
            pool.close();
        }
    }
}
