package io.mcpbridge.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import io.mcpbridge.tool.ToolResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** What {@code "isolation": "call"} promises: rows C3 (b) and C4 of the contract. */
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class IsolatedCallsTest {
    private static final String NO_LIMIT = "\"maxMemoryMb\": 0";
    private final LeakCheck residue = LeakCheck.now();

    @Test
    @DisplayName("C3: each call has its own process, and no state survives from one call to the next")
    void noStateSurvivesFromCallToCall() throws Exception {
        var pids = new HashSet<String>();

        try (var bench = IsolationBench.of(NO_LIMIT)) {
            for (int i = 0; i < 20; i++) {
                var said = bench.text("count");
                assertThat(said).startsWith("1 in ");
                pids.add(said);
            }
        }

        assertThat(pids).hasSize(20);
        residue.assertNothingLeft();
    }

    @Test
    void resultHasCorrelationIdAndDuration() throws Exception {
        try (var bench = IsolationBench.of(NO_LIMIT)) {
            var result = bench.call("nap");

            assertThat(result.correlationId()).isNotBlank();
            assertThat(result.duration()).isGreaterThanOrEqualTo(Duration.ofMillis(50));
        }
    }

    @Test
    void otherRequestsUseTheCommonSession() throws Exception {
        try (var bench = IsolationBench.of(NO_LIMIT)) {
            bench.list();
            var common = bench.commonPid();

            assertThat(bench.text("count")).isNotEqualTo("1 in " + common);

            bench.list();
            assertThat(bench.commonPid()).isEqualTo(common);
            assertThat(bench.bridge.status().get(0).sessions()).isEqualTo(1);
        }
    }

    @Test
    @DisplayName("C3: on a timeout the process and its children are killed, and no other call is affected")
    void callThatTimesOutIsKilled() throws Exception {
        try (var bench = IsolationBench.of(
                NO_LIMIT, "\"maxExecutionMs\": 2000", "\"stop-timeout\": \"20s\"", "\"pool\": {\"warm\": 1}")) {
            bench.list();
            var common = bench.commonPid();

            var hanging = CompletableFuture.supplyAsync(() -> failed(bench));
            var others = IntStream.range(0, 5).mapToObj(i -> bench.begin("nap")).toList();

            var failure = hanging.get();
            assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
            assertThat(failure.delivery()).isEqualTo(Delivery.UNKNOWN);
            assertThat(failure.message()).contains("timed out after 2000 ms").contains("killed");
            for (var other : others) {
                assertThat(other.get().isError()).isFalse();
            }
            Eventually.holds(
                    () -> "no 'sleep' is left",
                    () -> IsolationBench.processes().stream()
                            .noneMatch(each -> each.info().command().orElse("").endsWith("sleep")));
            assertThat(bench.commonPid()).isEqualTo(common);
        }
        residue.assertNothingLeft();
    }

    private static io.mcpbridge.failure.Failure failed(IsolationBench bench) {
        try {
            return bench.failure("hang");
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void manyCancelledCallsLeaveNoProcess() throws Exception {
        try (var bench =
                IsolationBench.of(NO_LIMIT, "\"stop-timeout\": \"20s\"", "\"pool\": {\"warm\": 0, \"max\": 8}")) {
            var hanging =
                    IntStream.range(0, 8).mapToObj(i -> bench.begin("hang")).toList();
            Eventually.holds(() -> "eight to hang", () -> sleeping() == 8);

            hanging.forEach(call -> call.cancel(true));

            Eventually.holds(() -> "no 'sleep' is left", () -> sleeping() == 0);
        }
        residue.assertNothingLeft();
    }

    private static long sleeping() {
        return IsolationBench.processes().stream()
                .filter(each -> each.info().command().orElse("").endsWith("sleep"))
                .count();
    }

    @Test
    void toolMayHaveItsOwnTimeLimit() throws Exception {
        try (var bench = IsolationBench.of(
                NO_LIMIT, "\"maxExecutionMs\": 10", "\"tools\": {\"nap\": {\"maxExecutionMs\": 5000}}")) {
            assertThat(bench.call("nap").isError()).isFalse();
            assertThat(bench.failure("hang").message()).contains("timed out after 10 ms");
        }
    }

    @Test
    @DisplayName("C3: a crash reports exit code and stderr, and affects no other call")
    void crashFailsItsOwnCallOnly() throws Exception {
        try (var bench = IsolationBench.of(NO_LIMIT)) {
            bench.list();
            var common = bench.commonPid();
            var other = bench.begin("nap");

            var failure = bench.failure("crash");

            assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_CRASHED);
            assertThat(failure.message()).contains("exit code 7").contains("out of luck");
            assertThat(other.get().isError()).isFalse();
            assertThat(bench.text("count")).startsWith("1 in ");
            assertThat(bench.commonPid()).isEqualTo(common);
            assertThat(bench.bridge.status().get(0).restarts()).isZero();
        }
    }

    @Test
    void callsThatCrashOrHangDoNotBlockOthers() throws Exception {
        try (var bench = IsolationBench.of(NO_LIMIT, "\"tools\": {\"hang\": {\"maxExecutionMs\": 10}}")) {
            for (int i = 0; i < 5; i++) {
                bench.failure("crash");
                bench.failure("hang");
            }

            assertThat(bench.text("count")).startsWith("1 in ");
        }
    }

    @Test
    void answerArrivesBeforeTheProcessExits() throws Exception {
        try (var bench = IsolationBench.of(NO_LIMIT, "\"env\": {\"SLOW_END\": \"yes\"}")) {
            var pid = Long.parseLong(bench.text("count").substring("1 in ".length()));

            assertThat(ProcessHandle.of(pid)).isPresent();
            Eventually.holds(
                    () -> "process " + pid + " to end",
                    () -> ProcessHandle.of(pid).isEmpty());
        }
    }

    @Test
    void sixtyFourCallsShareEightProcesses() throws Exception {
        try (var bench = IsolationBench.of(NO_LIMIT, "\"pool\": {\"warm\": 2, \"max\": 8}")) {
            bench.list();
            var most = 0;

            var calls = new ArrayList<>(
                    IntStream.range(0, 64).mapToObj(i -> bench.begin("nap")).toList());
            while (!calls.stream().allMatch(CompletableFuture::isDone)) {
                var now = ProcessHandle.current()
                        .children()
                        .filter(ProcessHandle::isAlive)
                        .count();
                most = Math.max(most, (int) now);
            }

            var pids = new HashSet<String>();
            for (var call : calls) {
                pids.add(call.get().text());
            }
            assertThat(pids).hasSize(64);
            // The common session's is one more.
            assertThat(most).isBetween(4, 9);
        }
        residue.assertNothingLeft();
    }

    @Test
    void callWithoutAProcessInTimeReportsTheLimit() throws Exception {
        try (var bench =
                IsolationBench.of(NO_LIMIT, "\"pool\": {\"warm\": 0, \"max\": 1}", "\"stop-timeout\": \"100ms\"")) {
            var first = bench.begin("hang");
            Eventually.holds(
                    () -> "the first call to begin",
                    () -> IsolationBench.processes().stream()
                            .anyMatch(each -> each.info().command().orElse("").endsWith("sleep")));

            var failure = bench.failure("count", Duration.ofMillis(1_500));

            assertThat(failure.code()).isEqualTo(ErrorCode.OVERLOADED);
            assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
            assertThat(failure.message()).contains("there are 1, which is the limit 'pool.max'");
            assertThat(first).isNotDone();
        }
        residue.assertNothingLeft();
    }

    @Test
    void closeEndsEveryProcess() throws Exception {
        var bench = IsolationBench.of(NO_LIMIT, "\"pool\": {\"warm\": 3, \"max\": 6}", "\"stop-timeout\": \"200ms\"");
        bench.list();
        var hanging = IntStream.range(0, 2).mapToObj(i -> bench.begin("hang")).toList();
        Eventually.holds(
                () -> "the pool to be warm", () -> IsolationBench.processes().size() >= 6);

        bench.close();

        residue.assertNothingLeft();
        hanging.forEach(call -> assertThat(call).isCompletedExceptionally());
    }

    @Test
    void closeEndsProcessesThatIgnoreTheirEnd() throws Exception {
        var bench = IsolationBench.of(NO_LIMIT, "\"pool\": {\"warm\": 0, \"max\": 12}", "\"stop-timeout\": \"200ms\"");
        var stubborn = new ArrayList<CompletableFuture<ToolResult>>();
        IntStream.range(0, 12).forEach(i -> stubborn.add(bench.begin("stay")));
        for (var each : stubborn) {
            each.get();
        }

        bench.close();

        residue.assertNothingLeft();
    }
}
