package io.mcpbridge.isolation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mcpbridge.call.SystemTimekeeper;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.ProcessLauncherProvider;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.LeakCheck;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** Memory and time to compute that a call may take, held by the sandbox. */
@Timeout(60)
@EnabledOnOs(OS.LINUX)
class MemoryLimitsTest {

    @Test
    @DisplayName("C3: each tool has its own memory limit, and exceeding it ends only that call")
    void eachToolHasItsOwnMemoryLimit() throws Exception {
        var residue = LeakCheck.now();
        var workers = Executors.newCachedThreadPool();
        try (var time = new SystemTimekeeper();
                var launcher = sandbox();
                var small = IsolationBench.in(Environment.of(time, workers, launcher), "\"maxMemoryMb\": 32");
                var large = IsolationBench.in(
                        Environment.of(time, workers, launcher),
                        "\"maxMemoryMb\": 32",
                        "\"tools\": {\"eat\": {\"maxMemoryMb\": 1024}}")) {
            assumeTrue(launcher.level().covers(SandboxLevel.L1), "the machine has no prlimit");

            assertThat(small.failure("eat").code()).isEqualTo(ErrorCode.PROVIDER_CRASHED);
            assertThat(small.text("count")).startsWith("1 in ");
            assertThat(large.text("eat")).isEqualTo("100000000");
        } finally {
            workers.shutdownNow();
        }
        residue.assertNothingLeft();
    }

    @Test
    @DisplayName("E17: a call that exceeds its CPU time fails with the reason")
    void callThatExceedsItsCpuTimeFailsWithTheReason() throws Exception {
        var workers = Executors.newCachedThreadPool();
        try (var time = new SystemTimekeeper();
                var launcher = sandbox();
                var bench = IsolationBench.in(
                        Environment.of(time, workers, launcher), "\"sandbox\": {\"maxCpuMs\": 700}")) {
            assumeTrue(launcher.level().covers(SandboxLevel.L1), "the machine has no prlimit");

            var failure = bench.failure("spin");

            assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_CRASHED);
            assertThat(failure.message()).contains("it used more than 700 ms of CPU time ('max-cpu')");
        } finally {
            workers.shutdownNow();
        }
    }

    private static ProcessLauncher sandbox() {
        return ServiceLoader.load(ProcessLauncherProvider.class)
                .findFirst()
                .orElseThrow()
                .open(Settings.of(Map.of()), new PlainProcessLauncher());
    }
}
