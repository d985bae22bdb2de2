package io.mcpbridge.sandbox.worker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.Confinement;
import io.mcpbridge.spi.Limits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.testkit.Eventually;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Workers as firmly held as this machine can. */
@Timeout(60)
class HeldWorkersTest {

    private static void require(SandboxLevel level) {
        try (var pool = WorkerPool.open(WorkerOptions.builder().warm(0).build())) {
            Assumptions.assumeTrue(
                    SandboxLevel.valueOf(pool.handler(Odd.class).sandbox()).covers(level),
                    () -> "this machine has no " + level);
        }
    }

    @Test
    void memoryOfTheWholeWorkerIsBoundedByTheSystemToo() throws Exception {
        require(SandboxLevel.L1);

        try (var bench =
                new PoolBench(WorkerPool.open(WorkerOptions.builder().warm(0).build()))) {
            bench.add("small", ToolLimits.DEFAULTS.withMaxMemoryMb(96));

            assertThat(bench.does("status").toString()).containsPattern("Max data size +268435456 +268435456");
            assertThat(PoolBench.data(bench.call("small", "status", "")).toString())
                    .contains(" 100663296 ");
            assertThat(PoolBench.words(PoolBench.error(bench.call("small", "heap", ""))))
                    .contains("96 MiB (maxMemoryMb)", "exit code 3");
            assertThat(bench.exits().get(0).call().sandbox())
                    .isEqualTo(bench.pool.handler(Odd.class).sandbox());
        }
    }

    @Test
    void levelThatIsRequiredIsHad(@TempDir Path folder, @TempDir Path hidden) throws Exception {
        require(SandboxLevel.L2);
        var nothing = Limits.NONE.withoutNetwork().withReadable(List.of(folder));
        var alone = new Confinement(Optional.of(SandboxLevel.L3), nothing);

        try (var bench = new PoolBench(WorkerPool.open(
                WorkerOptions.builder().warm(0).confinement(alone).build()))) {
            assertThat(bench.does("interfaces")).isEqualTo("lo");
            assertThat(bench.does("exists", folder.toString())).isEqualTo(true);
            assertThat(bench.does("exists", hidden.toString())).isEqualTo(false);
            assertThat(bench.exits().get(0).call().sandbox()).isEqualTo("L3");
        }
    }

    @Test
    void workerInWhichACallLeftAProcessWithoutParentIsNotUsedAgain() throws Exception {
        require(SandboxLevel.L2);

        try (var bench =
                new PoolBench(WorkerPool.open(WorkerOptions.builder().warm(1).build()))) {
            assertThat(bench.does("daemon", "599.25")).isEqualTo("started");

            assertThat(bench.does("count")).isEqualTo(1L);
            Eventually.holds(
                    "the end of the process", () -> Odd.sleepers("599.25").isEmpty());
        }
    }

    @Test
    void levelThatIsNotThereIsRefusedRatherThanForgotten() throws Exception {
        var firm = new Confinement(Optional.of(SandboxLevel.L2), Limits.NONE);

        try (var bench = new PoolBench(WorkerOptions.builder().confinement(firm))) {
            assertThat(PoolBench.words(bench.fails("pid"))).contains("no worker starts", "mcp-bridge-sandbox");
        }
    }
}
