package io.mcpbridge.sandbox.worker;

import io.mcpbridge.StandardEnvironment;
import io.mcpbridge.testkit.Eventually;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

/** Has two workers, one in a busy loop and one whose child sleeps, says so, and stays until it is killed. */
final class OrphansProgram {

    private OrphansProgram() {}

    public static void main(String[] arguments) throws Exception {
        var options = WorkerOptions.builder()
                .warm(0)
                .most(2)
                .variables(Map.of("MCPBRIDGE_SANDBOX", arguments[1]))
                .build();
        try (var environment = StandardEnvironment.open();
                var pool = arguments[0].equals("plain")
                        ? WorkerPool.open(options, environment.environment())
                        : WorkerPool.open(options);
                var bench = new PoolBench(pool)) {
            bench.begin("odd", "loop", "");
            bench.begin("odd", "child-and-loop", "");
            Eventually.holds("both calls", () -> pool.state().busy() == 2);
            Eventually.holds(
                    "the child",
                    () -> ProcessHandle.current()
                            .descendants()
                            .anyMatch(each -> each.info().command().orElse("").endsWith("sleep")));
            System.out.println("under way");
            new CountDownLatch(1).await();
        }
    }
}
