package io.mcpbridge.sandbox.worker;

import io.mcpbridge.sandbox.orphans.Marks;
import io.mcpbridge.spi.Confinement;
import io.mcpbridge.spi.Limits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A pool at each level, with a call of {@link Parenthood} in each. */
final class Workshops implements AutoCloseable {
    private static final ToolLimits SHORT = ToolLimits.DEFAULTS.withMaxExecution(Duration.ofSeconds(5));

    private final Marks marks;
    private final Map<SandboxLevel, PoolBench> benches = new LinkedHashMap<>();

    Workshops(List<SandboxLevel> levels, Marks marks) throws IOException, InterruptedException {
        this.marks = marks;
        for (var level : levels) {
            benches.put(level, bench(level));
        }
    }

    private PoolBench bench(SandboxLevel level) throws IOException, InterruptedException {
        var options = WorkerOptions.builder()
                .warm(0)
                .most(1)
                .variables(Map.of(Marks.NAME, marks.mark(level, "WORKER")))
                .confinement(new Confinement(Optional.of(level), Limits.NONE));
        var bench = new PoolBench(WorkerPool.open(options.build()));
        bench.add("parenthood", Parenthood.class, ToolLimits.DEFAULTS);
        bench.add("short", Parenthood.class, SHORT);
        return bench;
    }

    /** Has the call of each level end so, which is begun at all levels before one is waited for. */
    void call(String how) throws IOException {
        begin(how.equals("TIME_OUT") ? "short" : "parenthood", how);
        for (var bench : benches.values()) {
            bench.answer();
        }
    }

    /** Waits until all calls have all their children. */
    void begin() throws IOException {
        begin("parenthood", "WAIT");
        Eventually.holds(Duration.ofSeconds(30), () -> "all children, but there are " + marks.counts(), () -> {
            var counts = marks.counts();
            return benches.keySet().stream()
                    .allMatch(level -> counts.getOrDefault(level, Map.of()).containsKey(Parenthood.LAST));
        });
    }

    private void begin(String tool, String how) throws IOException {
        for (var each : benches.entrySet()) {
            each.getValue().begin(tool, how, marks.run() + "." + each.getKey());
        }
    }

    @Override
    public void close() {
        benches.values().parallelStream().forEach(PoolBench::close);
    }
}
