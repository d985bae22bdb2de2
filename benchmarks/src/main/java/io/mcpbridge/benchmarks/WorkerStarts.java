package io.mcpbridge.benchmarks;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.workers.WorkerOptions;
import io.mcpbridge.workers.WorkerPool;
import java.util.concurrent.locks.LockSupport;

/** Measures the time until a worker is warm. */
final class WorkerStarts {
    private static final int STARTS = 15;
    private static final long LOOK_EVERY_NANOS = 200_000;

    private WorkerStarts() {}

    static void measure() throws Exception {
        var starts = new Spans();
        starts.measure(1, WorkerStarts::start);
        starts = new Spans();
        starts.measure(STARTS, WorkerStarts::start);
        Goals.say("");
        Goals.say("%d starts of a plain process each, until it has run its warm-up calls: p50 %.0f us"
                .formatted(STARTS, starts.at(0.5)));
    }

    private static void start() {
        try (var environment = StandardEnvironment.open();
                var pool = WorkerPool.open(WorkerOptions.DEFAULTS, environment.environment())) {
            var unused = pool.handler(WorkerCalls.Repeat.class);
            while (pool.state().idle() < 1) {
                LockSupport.parkNanos(LOOK_EVERY_NANOS);
            }
        }
    }
}
