package io.mcpbridge.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

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

    /** A caller that leaves time between its calls. */
    private record Paced(Contender contender) implements Contender {
        @Override
        public void pause() throws InterruptedException {
            Thread.sleep(PAUSE.toMillis());
        }

        @Override
        public void call() throws Exception {
            contender.call();
        }

        @Override
        public void close() {}
    }

    public static void main(String[] arguments) throws Exception {
        var rows = new ArrayList<Row>();
        var warm = new ArrayList<Row>();
        for (var server : MinimalServer.ALL) {
            var measured = measure(server);
            rows.addAll(measured);
            warm.add(measured.get(1));
        }
        Goals.begin(rows);
        for (int i = 0; i < warm.size(); i++) {
            var server = MinimalServer.ALL.get(i).name();
            Goals.atMost(
                    "p95 of a call from the warm pool, ms, " + server,
                    GOAL_MILLIS,
                    warm.get(i).p95() / 1e3);
        }
    }

    private static List<Row> measure(MinimalServer server) throws Exception {
        var shared = new BridgeClient(server.section(""));
        var isolated = new BridgeClient(server.section(POOL));
        try (var paced = new Row(server.name() + ", shared, 100 ms apart", 1, new Paced(shared));
                var warm = new Row(server.name() + ", own process, 100 ms apart", 1, new Paced(isolated));
                var fast = new Row(server.name() + ", shared, no pause", CALLERS, shared);
                var full = new Row(server.name() + ", own process, no pause", CALLERS, isolated)) {
            var rows = List.of(paced, warm, fast, full);
            for (var row : rows) {
                row.warmUp(WARM_UP);
                row.measure(SPAN);
            }
            return rows;
        }
    }
}
