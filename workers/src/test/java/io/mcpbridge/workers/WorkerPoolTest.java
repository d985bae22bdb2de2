package io.mcpbridge.workers;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.process.ChildEnvironment;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What tools can do in their workers without harm to others; one pool for all, whose workers come and go. */
@Timeout(60)
class WorkerPoolTest {
    private static WorkerPoolFixture bench;

    @BeforeAll
    static void open() throws IOException, InterruptedException {
        bench = new WorkerPoolFixture(WorkerOptions.builder()
                .warm(1)
                .most(1)
                .maxResultBytes(64 << 10)
                .variables(Map.of("PASSWORD", "correct horse")));
    }

    @AfterAll
    static void close() {
        bench.close();
    }

    @Test
    void valuesSurviveARoundTrip() throws IOException {
        assertThat(bench.does("echo", Map.of("a", List.of(1, 2.5, "x", true))).toString())
                .isEqualTo("{a=[1, 2.5, x, true]}");
        assertThat(bench.does("values").toString())
                .isEqualTo("{nothing=null, flags=[true, false], number=12345678901234567890.5, double=0.5, "
                        + "record={name=Zugspitze, height=2962}, text=größer \uD83D\uDE00}");
    }

    @Test
    void toolSeesItsCall() throws IOException {
        var seen = bench.does("call").toString();

        assertThat(seen)
                .contains(
                        "tool=odd",
                        "id="
                                + bench.exits()
                                        .get(bench.exits().size() - 1)
                                        .call()
                                        .correlationId());
        assertThat(seen).containsPattern("millis=(29|30)\\d{3}");
    }

    @Test
    void toolErrorIsReportedAndTheWorkerStays() throws IOException {
        var pid = bench.does("pid");

        assertThat(bench.fails("throw")).hasToString("{code=HANDLER_ERROR, message=the disk is full}");
        assertThat(bench.recorded())
                .returns(Delivery.ANSWERED, Failure::delivery)
                .returns(true, Failure::isToolError);
        assertThat(bench.fails("overflow")).containsEntry("message", "StackOverflowError");
        assertThat(WorkerPoolFixture.words(bench.fails("unfit"))).contains("cannot return class java.lang.Object");
        assertThat(WorkerPoolFixture.words(bench.fails("nested"))).contains("nested deeper than 256 levels");
        assertThat(bench.does("pid")).isEqualTo(pid);
    }

    @Test
    void numbersWithHugeExponentsAreRejectedAndTheWorkerStays() throws IOException {
        var pid = bench.does("pid");

        assertThat(error("echo", new BigDecimal("1E+2000")).toString())
                .contains("schema validation failed")
                .contains("an exponent from -1000 to 1000");
        assertRecorded(ErrorCode.INVALID_PARAMS, Delivery.NOT_SENT);
        assertThat(bench.does("pid")).isEqualTo(pid);
    }

    @Test
    void outputOfAToolIsNotAResponse() throws IOException {
        assertThat(bench.does("print")).isEqualTo("done");
        assertThat(bench.does("read")).hasToString("-1");
    }

    @Test
    void oversizedResultIsRejectedAndTheWorkerStays() throws IOException {
        var pid = bench.does("pid");

        var error = error("large", 70_000);

        assertThat(WorkerPoolFixture.words(error)).contains("more than 65536 bytes (maxResultBytes)");
        assertThat(WorkerPoolFixture.code(error)).isEqualTo("OVERLOADED");
        assertThat(bench.does("large", 60_000).toString()).hasSize(60_000);
        assertThat(bench.does("pid")).isEqualTo(pid);
    }

    @Test
    void e13FloodOnStandardErrorBlocksNoCall() throws IOException {
        assertThat(bench.does("flood")).isEqualTo("flooded");
    }

    @Test
    void toolThatExitsEndsOnlyItsCall() throws IOException {
        for (var how : new String[] {"exit", "halt"}) {
            var error = bench.fails(how);

            assertThat(WorkerPoolFixture.words(error)).contains("'odd' crashed", "exit code 7");
            assertThat(WorkerPoolFixture.code(error)).isEqualTo("PROVIDER_CRASHED");
            assertRecorded(ErrorCode.PROVIDER_CRASHED, Delivery.UNKNOWN);
        }
        assertThat(bench.does("print")).isEqualTo("done");
    }

    @Test
    void lastLinesOfAProcessAreReportedWithoutSecrets() throws IOException {
        assertThat(WorkerPoolFixture.words(bench.fails("last-words")))
                .contains("exit code 9", "its last words: ", "first line | the password is ***");
    }

    @Test
    void outputOfOneCallIsNotShownToAnother() throws IOException {
        var pid = bench.does("pid");
        bench.does("say", "the account of Alice");

        assertThat(bench.does("pid")).isEqualTo(pid);
        assertThat(WorkerPoolFixture.words(bench.fails("halt")))
                .contains("exit code 7")
                .doesNotContain("Alice");
    }

    @Test
    void e17MemoryIsLimited() throws IOException {
        for (var what : new String[] {"heap", "direct"}) {
            var error = bench.fails(what);

            assertThat(WorkerPoolFixture.words(error))
                    .contains("256 MiB (maxMemoryMb)", "exit code 3", "out of memory");
            assertThat(WorkerPoolFixture.code(error)).isEqualTo("PROVIDER_CRASHED");
        }
    }

    @Test
    void garbageOnStandardOutputIsNotAResponse() throws IOException {
        for (var how : new String[] {"garbage", "soft-garbage"}) {
            var error = bench.fails(how);

            assertThat(WorkerPoolFixture.words(error))
                    .contains("standard output")
                    .doesNotContain("looks like");
            assertThat(WorkerPoolFixture.code(error)).isEqualTo("PROVIDER_CRASHED");
        }
        assertThat(bench.does("print")).isEqualTo("done");
    }

    @Test
    void closedStandardOutputEndsTheCall() throws IOException {
        assertThat(WorkerPoolFixture.words(bench.fails("close")))
                .containsAnyOf("exit code 1", "closed its standard output");
    }

    @Test
    void e10WorkerSeesOnlyItsVariables() throws IOException {
        var seen = List.<Object>copyOf((List<?>) bench.does("variables"));

        assertThat(seen).contains("PASSWORD");
        assertThat(seen)
                .allMatch(name -> ChildEnvironment.isAllowed(String.valueOf(name))
                        || List.of("PASSWORD", "MALLOC_ARENA_MAX", "MCP_BRIDGE_WORKER")
                                .contains(name));
    }

    @Test
    void timeoutEndsTheCallAndTheWorker() throws IOException {
        var error = WorkerPoolFixture.error(bench.call("hasty", "loop", ""));

        assertThat(WorkerPoolFixture.words(error)).contains("'hasty' timed out", "250 ms (maxExecution)");
        assertThat(WorkerPoolFixture.code(error)).isEqualTo("PROVIDER_TIMEOUT");
        assertRecorded(ErrorCode.PROVIDER_TIMEOUT, Delivery.UNKNOWN);
        assertThat(bench.pool.state().busy()).isZero();
    }

    /** No error of the tool, which did not answer. */
    private static void assertRecorded(ErrorCode code, Delivery delivery) {
        assertThat(bench.recorded())
                .returns(code, Failure::code)
                .returns(delivery, Failure::delivery)
                .returns(false, Failure::isToolError);
    }

    private static Map<String, Object> error(String what, Object value) throws IOException {
        return WorkerPoolFixture.error(bench.call("odd", what, value));
    }
}
