package io.mcpbridge.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.LeakCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How workers come and go. */
@Timeout(60)
class WorkerLifecycleTest {

    private static WorkerOptions.Builder one() {
        return WorkerOptions.builder().warm(1).most(1);
    }

    private static ProcessHandle process(Object pid) {
        return ProcessHandle.of((Long) pid).orElseThrow();
    }

    private static void awaitEnd(Object pid) {
        Eventually.holds(
                () -> "the end of " + pid,
                () -> ProcessHandle.of((Long) pid).map(each -> !each.isAlive()).orElse(true));
    }

    @Test
    void workerIsReusedUntilItsCallLimit() throws Exception {
        try (var bench = new WorkerPoolFixture(one().maxCalls(52))) {
            var first = bench.does("pid");
            assertThat(bench.does("count")).isEqualTo(2L);

            assertThat(bench.does("pid")).isNotEqualTo(first);
            awaitEnd(first);
        }
    }

    @Test
    void classPathOfAProgramIsExtendedByTheClassesOfWorkers() throws Exception {
        var tools = Path.of(MisbehavingTool.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());

        try (var bench = new WorkerPoolFixture(one().classPath(List.of(tools)))) {
            assertThat(bench.does("print")).isEqualTo("done");
        }
    }

    @Test
    void oldLargeOrUncleanWorkerIsReplaced() throws Exception {
        try (var bench = new WorkerPoolFixture(one().maxResidentMb(80))) {
            var large = bench.does("pid");
            bench.does("hold");
            assertThat(bench.does("pid")).isNotEqualTo(large);

            var unclean = bench.does("thread");
            assertThat(bench.does("pid")).isNotEqualTo(unclean);
            awaitEnd(unclean);

            var mute = bench.does("replace-out");
            assertThat(bench.does("pid")).isNotEqualTo(mute);

            var child = bench.does("child");
            awaitEnd(child);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"close-in", "close-err"})
    void workerWithAClosedStandardStreamIsNotUsedAgain(String what) throws Exception {
        try (var bench = new WorkerPoolFixture(one())) {
            var deaf = bench.does(what);

            assertThat(bench.does("pid")).isNotEqualTo(deaf);
            assertThat(bench.does("count")).isEqualTo(2L);
            awaitEnd(deaf);
        }
    }

    @Test
    void workerThatEndsSlowlyKeepsItsPlace() throws Exception {
        try (var bench = new WorkerPoolFixture(one().maxAge(Duration.ofSeconds(4)))) {
            var first = (Long) bench.does("pid");
            new ProcessBuilder("kill", "-STOP", Long.toString(first)).start().waitFor();
            Eventually.holds("the end of its time", () -> bench.pool.state().busy() == 1);

            var second = bench.does("pid");

            assertThat(second).isNotEqualTo(first);
            assertThat(ProcessHandle.of(first)).as("the first one").isEmpty();
        }
    }

    @Test
    void oldWorkersAreReplacedWhileIdle() throws Exception {
        try (var bench = new WorkerPoolFixture(one().maxAge(Duration.ofSeconds(4)))) {
            var first = bench.does("pid");

            awaitEnd(first);
            assertThat(bench.does("pid")).isNotEqualTo(first);
        }
    }

    @Test
    void workersStartBeforeTheFirstCallAndEndWithThePool() throws Exception {
        var bench = new WorkerPoolFixture(WorkerOptions.builder().warm(2).most(2));
        List<ProcessHandle> workers;
        try (bench) {
            bench.awaitIdle(2);
            bench.begin("odd", "loop", "");
            Eventually.holds("a busy worker", () -> bench.pool.state().busy() == 1);
            workers = ProcessHandle.current().children().toList();
            assertThat(workers).hasSizeGreaterThanOrEqualTo(2);
        }

        assertThat(workers).noneMatch(ProcessHandle::isAlive);
        assertThat(bench.pool.state()).isEqualTo(new PoolState(0, 0, 0, 0, ""));
        bench.pool.close();
    }

    @Test
    void cancelledCallEndsItsWorker() throws Exception {
        try (var bench = new WorkerPoolFixture(one())) {
            var pid = bench.does("pid");
            var id = bench.begin("odd", "loop", "");
            Eventually.holds("a busy worker", () -> bench.pool.state().busy() == 1);

            bench.cancel(id);

            awaitEnd(pid);
            Eventually.holds("its exit", () -> bench.exits().size() == 2);
            assertThat(bench.exits().get(1).outcome().toString()).contains(ErrorCode.CANCELLED.name());
            assertThat(bench.does("pid")).isNotEqualTo(pid);
        }
    }

    @Test
    void callsWaitForAWorkerWithinLimits() throws Exception {
        try (var bench = new WorkerPoolFixture(one().maxWaiting(1).maxWait(Duration.ofSeconds(2)))) {
            bench.awaitIdle(1);
            bench.begin("odd", "loop", "");
            Eventually.holds("a busy worker", () -> bench.pool.state().busy() == 1);

            bench.begin("odd", "pid", "");
            Eventually.holds("a call that waits", () -> bench.pool.state().waiting() == 1);
            var crowded = bench.fails("pid");
            var late = WorkerPoolFixture.error(bench.answer());

            assertThat(WorkerPoolFixture.code(crowded)).isEqualTo("OVERLOADED");
            assertThat(WorkerPoolFixture.words(crowded))
                    .isEqualTo("all 1 workers (most) are busy, and 1 calls (maxWaiting) wait for one already");
            assertThat(WorkerPoolFixture.code(late)).isEqualTo("OVERLOADED");
            assertThat(WorkerPoolFixture.words(late))
                    .isEqualTo("none of 1 workers (most) was free within 2000 ms (maxWait)");
        }
    }

    @Test
    void callsWithoutAWorkerAreRecordedAsNotSent() throws Exception {
        try (var bench = new WorkerPoolFixture(one().maxWaiting(1).maxWait(Duration.ofSeconds(2)))) {
            bench.awaitIdle(1);
            bench.begin("odd", "loop", "");
            Eventually.holds("a busy worker", () -> bench.pool.state().busy() == 1);
            bench.begin("odd", "pid", "");
            Eventually.holds("a call that waits", () -> bench.pool.state().waiting() == 1);

            bench.fails("pid");
            var crowded = bench.recorded();
            bench.answer();
            var late = bench.recorded();

            assertThat(List.of(crowded, late))
                    .allSatisfy(failure -> assertThat(failure)
                            .returns(ErrorCode.OVERLOADED, Failure::code)
                            .returns(Delivery.NOT_SENT, Failure::delivery)
                            .returns(false, Failure::isToolError));
            assertThat(late.message()).contains("(maxWait)");
        }
    }

    @Test
    void waitingCallCanBeCancelled() throws Exception {
        try (var bench = new WorkerPoolFixture(one())) {
            bench.awaitIdle(1);
            bench.begin("odd", "loop", "");
            Eventually.holds("a busy worker", () -> bench.pool.state().busy() == 1);
            var id = bench.begin("odd", "pid", "");
            Eventually.holds("a call that waits", () -> bench.pool.state().waiting() == 1);

            bench.cancel(id);

            Eventually.holds("no call that waits", () -> bench.pool.state().waiting() == 0);
            assertThat(bench.pool.state().busy()).isEqualTo(1);
        }
    }

    @Test
    void callsEndWithThePool() throws Exception {
        try (var bench = new WorkerPoolFixture(one())) {
            bench.awaitIdle(1);
            bench.begin("odd", "loop", "");
            Eventually.holds("a busy worker", () -> bench.pool.state().busy() == 1);
            bench.begin("odd", "pid", "");
            Eventually.holds("a call that waits", () -> bench.pool.state().waiting() == 1);

            bench.pool.close();

            for (var ended : List.of(bench.answer(), bench.answer(), bench.call("odd", "pid", ""))) {
                assertThat(WorkerPoolFixture.code(WorkerPoolFixture.error(ended)))
                        .isEqualTo("SHUTTING_DOWN");
            }
        }
    }

    @Test
    void idleWorkerThatIsKilledIsReplaced() throws Exception {
        try (var bench = new WorkerPoolFixture(one())) {
            var first = bench.does("pid");

            process(first).destroyForcibly();

            awaitEnd(first);
            Eventually.holds("another worker", () -> {
                try {
                    return !first.equals(bench.does("pid"));
                } catch (IOException | AssertionError notYet) {
                    return false;
                }
            });
        }
    }

    @Test
    void e3KilledWorkerEndsOnlyItsCall() throws Exception {
        try (var bench = new WorkerPoolFixture(one())) {
            var pid = bench.does("pid");
            bench.begin("odd", "loop", "");
            Eventually.holds("a busy worker", () -> bench.pool.state().busy() == 1);

            process(pid).destroyForcibly();

            var error = WorkerPoolFixture.error(bench.answer());
            assertThat(WorkerPoolFixture.words(error)).contains("exit code 137: it was killed");
            assertThat(WorkerPoolFixture.code(error)).isEqualTo("PROVIDER_CRASHED");
            assertThat(bench.does("print")).isEqualTo("done");
        }
    }

    @Test
    void e4HangingWorkerIsEndedAfterTheTimeout() throws Exception {
        try (var bench = new WorkerPoolFixture(one())) {
            var pid = (Long) bench.does("pid");
            new ProcessBuilder("kill", "-STOP", Long.toString(pid)).start().waitFor();
            Eventually.holds("a worker that stands still", () -> isStopped(pid));

            var error = WorkerPoolFixture.error(bench.call("hasty", "pid", ""));

            assertThat(WorkerPoolFixture.code(error)).isEqualTo("PROVIDER_TIMEOUT");
            assertThat(ProcessHandle.of(pid)).isEmpty();
        }
    }

    @Test
    void e4CallTimesOutAlthoughALeftProcessHoldsItsOutput() throws Exception {
        try (var bench = new WorkerPoolFixture(one())) {
            bench.awaitIdle(1);

            var error = WorkerPoolFixture.error(bench.call("hasty", "hold-output-and-loop", "599.5"));

            assertThat(WorkerPoolFixture.code(error)).isEqualTo("PROVIDER_TIMEOUT");
            assertThat(bench.does("print")).isEqualTo("done");
        } finally {
            MisbehavingTool.sleepers("599.5").forEach(ProcessHandle::destroyForcibly);
        }
    }

    /** Whether every thread of it has taken notice. */
    private static boolean isStopped(long pid) {
        try (var threads = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "task"))) {
            for (var thread : threads) {
                if (!Files.readString(thread.resolve("status")).contains("State:\tT")) {
                    return false;
                }
            }
            return true;
        } catch (IOException gone) {
            return false;
        }
    }

    @Test
    void crashedWorkersLeaveNothingBehind() throws Exception {
        // What the first use of a process and of a pool leaves open for good is not counted.
        crash(1);
        var before = LeakCheck.now();

        crash(6);

        before.assertNothingLeftNorOpen();
    }

    private static void crash(int times) throws Exception {
        try (var bench = new WorkerPoolFixture(WorkerOptions.builder().warm(0).most(1))) {
            for (int i = 0; i < times; i++) {
                bench.fails("halt");
            }
        }
    }

    @Test
    void e5FailedStartsAreReportedAndBackOff() throws Exception {
        try (var bench = new WorkerPoolFixture(one().jvmOptions(List.of("-XX:NoSuchOption")))) {
            var error = bench.fails("pid");

            assertThat(WorkerPoolFixture.code(error)).isEqualTo("PROVIDER_UNAVAILABLE");
            assertThat(WorkerPoolFixture.words(error)).contains("no worker starts", "exit code 1", "NoSuchOption");
            assertThat(bench.pool.state().lastError()).contains("NoSuchOption");
        }
    }
}
