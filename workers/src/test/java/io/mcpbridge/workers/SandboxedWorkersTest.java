package io.mcpbridge.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.sandbox.SandboxLauncherProvider;
import io.mcpbridge.spi.ProcessLimits;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.SandboxSettings;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Workers as firmly held as this machine can. */
@Timeout(60)
class SandboxedWorkersTest {

    private static void require(SandboxLevel level) {
        try (var launcher = new SandboxLauncherProvider().open(Settings.of(Map.of()), new PlainProcessLauncher())) {
            var missing = launcher.missing(level);
            Assumptions.assumeTrue(
                    missing.isEmpty(), () -> "needs %s, which is not available here: %s".formatted(level, missing));
        }
    }

    @Test
    void kernelLimitsTheMemoryOfTheWholeWorker() throws Exception {
        require(SandboxLevel.L1);

        try (var bench = new WorkerPoolFixture(
                WorkerPool.open(WorkerOptions.builder().warm(0).build()))) {
            bench.add("small", ToolLimits.DEFAULTS.withMaxMemoryMb(96));

            assertThat(bench.does("status").toString()).containsPattern("Max data size +268435456 +268435456");
            assertThat(WorkerPoolFixture.data(bench.call("small", "status", "")).toString())
                    .contains(" 100663296 ");
            assertThat(WorkerPoolFixture.words(WorkerPoolFixture.error(bench.call("small", "heap", ""))))
                    .contains("96 MiB (maxMemoryMb)", "exit code 3");
            assertThat(bench.exits().get(0).call().sandbox())
                    .isEqualTo(bench.pool.handler(MisbehavingTool.class).sandbox());
        }
    }

    @Test
    void requiredLevelIsProvided(@TempDir Path folder, @TempDir Path hidden) throws Exception {
        require(SandboxLevel.L3);
        var nothing = ProcessLimits.NONE.withoutNetwork().withReadable(List.of(folder));
        var alone = new SandboxSettings(Optional.of(SandboxLevel.L3), nothing);

        try (var bench = new WorkerPoolFixture(WorkerPool.open(
                WorkerOptions.builder().warm(0).confinement(alone).build()))) {
            assertThat(bench.does("interfaces")).isEqualTo("lo");
            assertThat(bench.does("exists", folder.toString())).isEqualTo(true);
            assertThat(bench.does("exists", hidden.toString())).isEqualTo(false);
            assertThat(bench.exits().get(0).call().sandbox()).isEqualTo("L3");
        }
    }

    private static WorkerPoolFixture oneAt(SandboxLevel level) throws IOException, InterruptedException {
        require(level);
        var confinement = new SandboxSettings(Optional.of(level), ProcessLimits.NONE);
        return new WorkerPoolFixture(WorkerPool.open(
                WorkerOptions.builder().warm(1).most(1).confinement(confinement).build()));
    }

    @ParameterizedTest
    @EnumSource(
            value = SandboxLevel.class,
            names = {"L0", "L1", "L2"})
    @EnabledOnOs(OS.LINUX)
    void workerWithAnOrphanProcessIsNotUsedAgain(SandboxLevel level) throws Exception {
        var seconds = level.name().replace("L", "599.2");

        try (var bench = oneAt(level)) {
            assertThat(bench.does("daemon", seconds)).isEqualTo("started");

            assertThat(bench.does("count")).isEqualTo(1L);
            Eventually.holds(
                    "the end of the process",
                    () -> MisbehavingTool.sleepers(seconds).isEmpty());
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void orphanProcessWithItsOwnEnvironmentEscapesBelowL2() throws Exception {
        try (var bench = oneAt(SandboxLevel.L0)) {
            assertThat(bench.does("stranger", "599.75")).isEqualTo("started");

            assertThat(bench.does("count")).isEqualTo(2L);
            assertThat(MisbehavingTool.sleepers("599.75")).hasSize(1);
        } finally {
            MisbehavingTool.sleepers("599.75").forEach(ProcessHandle::destroyForcibly);
        }
    }

    @Test
    void unavailableLevelIsRejected() throws Exception {
        var firm = new SandboxSettings(Optional.of(SandboxLevel.L2), ProcessLimits.NONE);

        try (var bench = new WorkerPoolFixture(WorkerOptions.builder().confinement(firm))) {
            assertThat(WorkerPoolFixture.words(bench.fails("pid"))).contains("no worker starts", "mcp-bridge-sandbox");
        }
    }
}
