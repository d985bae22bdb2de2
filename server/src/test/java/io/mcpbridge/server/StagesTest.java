package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.testkit.Eventually;
import io.mcpbridge.testkit.RecordingLogger;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rows B3, B4 and B5: the five stages, and the one form of results. */
@Timeout(60)
class StagesTest {
    private static final ToolConfig NUMBER = ToolConfig.of(
            "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"],\"additionalProperties\":false}");

    @Test
    void b3CallsOfOneToolNeverOverlap() throws Exception {
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var order = new CopyOnWriteArrayList<Object>();
        try (var bench = new ServeBench().with("one", call -> {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            order.add(String.valueOf(call.arguments().get("n")));
            Thread.onSpinWait();
            inside.decrementAndGet();
            return null;
        })) {
            var client = bench.legacy();
            var expected = new ArrayList<String>();
            for (int i = 0; i < 50; i++) {
                client.beginCall("one", "{\"n\":%d}".formatted(i));
                expected.add(String.valueOf(i));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(client.receive()).contains("\"ok\":true");
            }

            assertThat(most).hasValue(1);
            assertThat(order).isEqualTo(expected);
        }
    }

    @Test
    void b3CallsOfDifferentToolsOverlap() throws Exception {
        var both = new CyclicBarrier(2);
        try (var bench = new ServeBench().with("one", call -> meet(both)).with("two", call -> meet(both))) {
            var client = bench.legacy();
            client.beginCall("one", "{}");
            client.beginCall("two", "{}");

            assertThat(client.receive()).contains("\"ok\":true");
            assertThat(client.receive()).contains("\"ok\":true");
        }
    }

    @Test
    void b3ParallelToolRunsConcurrently() throws Exception {
        var both = new CyclicBarrier(2);
        try (var bench = new ServeBench().with("one", ServeBench.PLAIN.inParallel(), call -> meet(both))) {
            var client = bench.legacy();
            client.beginCall("one", "{}");
            client.beginCall("one", "{}");

            assertThat(client.receive()).contains("\"ok\":true");
            assertThat(client.receive()).contains("\"ok\":true");
        }
    }

    private static int meet(CyclicBarrier both) throws Exception {
        return both.await(30, TimeUnit.SECONDS);
    }

    @Test
    void b3FailureReleasesTheLockOfTheTool() throws Exception {
        try (var bench = new ServeBench().with("one", call -> {
            throw new AssertionError("broken");
        })) {
            var client = bench.legacy();

            assertThat(client.envelope("one", "{}")).contains("broken");
            assertThat(client.envelope("one", "{}")).contains("broken");
        }
    }

    @Test
    void b3QueuedCallTimesOut() throws Exception {
        var free = new CountDownLatch(1);
        try (var bench = new ServeBench()) {
            bench.options.callTimeout(Duration.ofMillis(1_500));
            bench.with("one", call -> {
                while (free.getCount() > 0) {
                    awaitThroughInterruptions(free);
                }
                return null;
            });
            var client = bench.legacy();
            client.beginCall("one", "{}");
            client.beginCall("one", "{}");

            assertThat(List.of(client.receive(), client.receive())).allMatch(answer -> answer.contains("-31003"));
            // The running call has none before it is released.
            Eventually.holds(
                    "an exit of the one that waited",
                    () -> bench.records().stream().anyMatch(ToolExit.class::isInstance));
            free.countDown();

            assertThat(bench.records().stream().filter(ToolEnter.class::isInstance))
                    .hasSize(1);
            assertThat(bench.records().stream().filter(ToolExit.class::isInstance))
                    .first()
                    .satisfies(exit -> {
                        assertThat(((ToolExit) exit).duration()).isZero();
                        assertThat(((ToolExit) exit).attempts()).isZero();
                        var failure = ((Outcome.Failed) ((ToolExit) exit).outcome()).failure();
                        assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
                        assertThat(failure.message())
                                .startsWith("'one' was cancelled while it waited for other calls of the tool: ");
                    });
        }
    }

    private static void awaitThroughInterruptions(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException again) {
            // The tool in this test does not care.
        }
    }

    @Test
    void b3CallIsRejectedIfTooManyAreQueued() {
        var executor = new SerialCallQueue();
        var task = new CountingTask();
        var never = new Cancellation();

        for (int i = 0; i < SerialCallQueue.MAX_WAITING + 2; i++) {
            executor.execute(task, never);
        }

        assertThat(task.granted).hasValue(1);
        assertThat(task.crowdedOut).hasValue(1);
        assertThat(executor.next()).containsSame(task);
    }

    /** Counts the calls that it sees. */
    private static final class CountingTask implements SerialCallQueue.Task {
        private final AtomicInteger granted = new AtomicInteger();
        private final AtomicInteger crowdedOut = new AtomicInteger();

        @Override
        public void start() {
            granted.incrementAndGet();
        }

        @Override
        public void run() {}

        @Override
        public void cancelled(CancelReason reason) {}

        @Override
        public void rejected() {
            crowdedOut.incrementAndGet();
        }
    }

    @Test
    void b4InvalidCallHasNoEnterRecord() throws Exception {
        var ran = new AtomicInteger();
        try (var bench = new ServeBench().with("number", NUMBER, call -> ran.incrementAndGet())) {
            var answer = bench.legacy().call("number", "{\"n\":\"x\",\"m\":1}");

            assertThat(answer).contains("\"isError\":true");
            assertThat(ServedClient.envelope(answer))
                    .isEqualTo("{\"ok\":false,\"error\":{\"code\":\"INVALID_PARAMS\",\"message\":\"schema validation"
                            + " failed\",\"details\":{\"issues\":[{\"path\":\"/n\",\"message\":\"string found,"
                            + " integer expected\"},{\"path\":\"\",\"message\":\"property 'm' is not defined in"
                            + " the schema and the schema does not allow additional properties\"}]}}}");
            assertThat(ran).hasValue(0);
            assertThat(bench.records()).singleElement().isInstanceOfSatisfying(ToolExit.class, exit -> {
                assertThat(exit.duration()).isEqualTo(Duration.ZERO);
                var failure = ((Outcome.Failed) exit.outcome()).failure();
                assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
                assertThat(failure.message())
                        .startsWith("schema validation failed: /n: string found, integer expected");
            });
        }
    }

    @Test
    void b4NonObjectArgumentsFailValidation() throws Exception {
        try (var bench = new ServeBench().with("number", NUMBER, call -> 1)) {
            var client = bench.legacy();

            assertThat(client.envelope("number", "[1]")).contains("INVALID_PARAMS", "not an object");
            assertThat(client.envelope("number", "{\"n\":1,\"n\":2}")).contains("INVALID_PARAMS", "cannot be read");
            assertThat(client.envelope("number", "null")).contains("INVALID_PARAMS");
            assertThat(ServedClient.envelope(client.ask("tools/call", "\"name\":\"number\"")))
                    .contains("required property 'n' not found");
        }
    }

    @Test
    void b5ResultIsWrappedInAnEnvelope() throws Exception {
        try (var bench = new ServeBench()
                .with("map", call -> Map.of("a", List.of(1, 2.5, "x", true)))
                .with("nothing", call -> null)
                .with("echo", call -> call.arguments())) {
            var client = bench.legacy();

            assertThat(client.envelope("map", "{}")).isEqualTo("{\"ok\":true,\"data\":{\"a\":[1,2.5,\"x\",true]}}");
            assertThat(client.envelope("nothing", "{}")).isEqualTo("{\"ok\":true,\"data\":null}");
            assertThat(client.envelope("echo", "{\"deep\":{\"x\":[null]}}"))
                    .isEqualTo("{\"ok\":true,\"data\":{\"deep\":{\"x\":[null]}}}");
        }
    }

    @Test
    void b5FailureIsWrappedInAnEnvelope() throws Exception {
        try (var bench = new ServeBench()
                .with("throws", call -> {
                    throw new IllegalStateException("the disk is full");
                })
                .with("silent", call -> {
                    throw new IllegalStateException();
                })
                .with("odd", call -> new Object())
                .with("endless", call -> Double.NaN)) {
            var client = bench.legacy();

            var answer = client.call("throws", "{}");
            assertThat(answer).contains("\"isError\":true");
            assertThat(ServedClient.envelope(answer))
                    .isEqualTo(
                            "{\"ok\":false,\"error\":{\"code\":\"HANDLER_ERROR\",\"message\":\"the disk is full\"}}");
            assertThat(client.envelope("silent", "{}")).contains("\"message\":\"IllegalStateException\"");
            assertThat(client.envelope("odd", "{}")).contains("HANDLER_ERROR", "cannot write class java.lang.Object");
            assertThat(client.envelope("endless", "{}")).contains("HANDLER_ERROR", "finite numbers");
        }
    }

    @Test
    void b5FailureOfTheBridgeHasItsCode() throws Exception {
        var failure = Failure.of(ErrorCode.PROVIDER_TIMEOUT, "'slow' timed out");
        try (var bench = new ServeBench().with("slow", call -> {
            throw CallException.of(failure);
        })) {
            assertThat(bench.legacy().envelope("slow", "{}"))
                    .isEqualTo("{\"ok\":false,\"error\":{\"code\":\"HANDLER_ERROR\",\"message\":\"'slow' timed out\","
                            + "\"details\":{\"code\":\"PROVIDER_TIMEOUT\",\"retryable\":true}}}");
            var exit = (ToolExit) bench.records().get(1);
            assertThat(exit.outcome())
                    .isInstanceOfSatisfying(
                            Outcome.Failed.class,
                            failed -> assertThat(failed.failure())
                                    .returns(ErrorCode.PROVIDER_TIMEOUT, Failure::code)
                                    .returns(true, Failure::isToolError));
        }
    }

    @Test
    void b4CheckWithAMissingClassFailsItsCall() {
        var features = new ServedFeatures(
                ServerMode.FULL, new BrokenChecks(new NoClassDefFoundError("the class 'Regex' is missing")));
        features.add("one", ServeBench.PLAIN, call -> 1);
        var sink = new InMemoryAuditSink();
        var calls = new StageFixture();
        var time = calls.time();
        var parts = new ToolCallRunner.Resources(
                new AuditRecorder(sink, new RecordingLogger()),
                Runnable::run,
                time::nanoTime,
                time,
                new RecordingLogger());
        var reply = new RecordingReply();

        features.handler(parts).handle(calls.of(Methods.TOOLS_CALL, "{\"name\":\"one\"}"), reply);

        assertThat(reply.outcomes()).singleElement().isInstanceOf(Outcome.Answered.class);
        assertThat(sink.records()).singleElement().asString().contains("ToolExit", "the class 'Regex' is missing");
    }

    @Test
    void b5CallIsAnsweredWhateverThrows() throws Exception {
        var isBroken = new AtomicBoolean();
        try (var bench = new ServeBench()) {
            bench.options.clock(() -> {
                assertThat(isBroken).as("the clock is broken").isFalse();
                return 1;
            });
            var client = bench.with("one", call -> 1).legacy();
            isBroken.set(true);

            assertThat(client.envelope("one", "{}")).contains("HANDLER_ERROR", "the clock is broken");
            assertThat(client.envelope("one", "{}")).contains("HANDLER_ERROR", "the clock is broken");
        }
    }

    @Test
    void b5ModernClientGetsTheSameEnvelope() throws Exception {
        try (var bench = new ServeBench().with("map", call -> Map.of("a", 1))) {
            var answer = bench.modern().call("map", "{}");

            assertThat(answer).contains("\"resultType\":\"complete\"");
            assertThat(ServedClient.envelope(answer)).isEqualTo("{\"ok\":true,\"data\":{\"a\":1}}");
        }
    }
}
