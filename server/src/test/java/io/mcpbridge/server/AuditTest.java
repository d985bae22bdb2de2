package io.mcpbridge.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Principal;
import io.mcpbridge.call.TraceParent;
import io.mcpbridge.engine.NoopAuditSink;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Era;
import io.mcpbridge.server.BrokenSink.Fault;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.AuditSink.ToolDenied;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.testkit.AuditedCallFixture;
import io.mcpbridge.testkit.Eventually;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Row B6: the events of the audit sink, and calls whose audit fails. */
@Timeout(60)
class AuditTest {

    @Test
    void b6EachCallHasAnEnterAndAnExitRecord() throws Exception {
        try (var bench = new ServeBench()) {
            bench.with("slow", call -> {
                bench.clock.addAndGet(7_900_000L);
                return call.correlationId();
            });
            var begin = bench.clock.get();

            var answer = bench.legacy().envelope("slow", "{\"a\": 1}");

            assertThat(bench.records()).hasSize(2);
            var enter = (ToolEnter) bench.records().get(0);
            var exit = (ToolExit) bench.records().get(1);
            var call =
                    AuditedCallFixture.of("tools/call", "", "slow", enter.call().definition());
            var id = enter.call().correlationId();
            assertThat(enter)
                    .isEqualTo(new ToolEnter(
                            AuditedCallFixture.by(call, id, Principal.ANONYMOUS, ""), "{\"a\": 1}", "", begin));
            assertThat(enter.call().definition())
                    .startsWith("{\"name\":\"slow\"")
                    .contains("\"inputSchema\":");
            assertThat(answer).contains(id);
            assertThat(exit.call()).isEqualTo(enter.call());
            assertThat(exit.attempts()).isEqualTo(1);
            assertThat(exit.duration()).isEqualTo(Duration.ofMillis(7));
            assertThat(exit.outcome()).isInstanceOf(Outcome.Answered.class);
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void recordsOfACallHaveTheTraceOfItsClient(Era era) throws Exception {
        var trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
        try (var bench = new ServeBench().with("one", call -> 1)) {
            var client = era == Era.MODERN
                    ? ServedClient.modern(bench.connected(), "{}", ",\"traceparent\":\"%s\"".formatted(trace))
                    : bench.legacy();

            client.ask(
                    "tools/call",
                    "\"name\":\"one\",\"arguments\":{}"
                            + (era == Era.MODERN ? "" : ",\"_meta\":{\"traceparent\":\"%s\"}".formatted(trace)));

            assertThat(((ToolEnter) bench.records().get(0)).call().trace()).isEqualTo(new TraceParent(trace));
            assertThat(((ToolExit) bench.records().get(1)).call().trace()).isEqualTo(new TraceParent(trace));
        }
    }

    @Test
    void floodOfUnknownToolsIsRecordedWithSampling() throws Exception {
        try (var bench = new ServeBench()) {
            var client = bench.legacy();

            for (int i = 0; i < 9; i++) {
                assertThat(client.call("none" + i, "{}")).contains("-32602");
            }

            assertThat(bench.records()).extracting("call.tool").containsExactly("none0", "none1", "none3", "none7");
            assertThat(((ToolDenied) bench.records().get(3)).reason()).endsWith("(8 such calls by now)");
        }
    }

    @Test
    void rejectedToolsAreSampledSeparately() throws Exception {
        try (var bench = new ServeBench()) {
            bench.options.mode(ServerMode.READONLY);
            bench.with("writes", call -> 1).with("deletes", call -> 1);
            var client = bench.legacy();

            for (int i = 0; i < 3; i++) {
                assertThat(client.call("writes", "{}")).contains("-31008");
            }
            client.call("deletes", "{}");

            assertThat(bench.records()).extracting("call.tool").containsExactly("writes", "writes", "deletes");
        }
    }

    @Test
    void b6InvalidCallHasAnExitRecordWithItsUser() throws Exception {
        try (var bench = new ServeBench().with("one", call -> 1)) {
            bench.legacy().envelope("one", "[]");

            assertThat(bench.records()).singleElement().isInstanceOfSatisfying(ToolExit.class, exit -> {
                assertThat(exit.call().principal()).isEqualTo(Principal.ANONYMOUS);
                assertThat(((Outcome.Failed) exit.outcome()).failure().code()).isEqualTo(ErrorCode.INVALID_PARAMS);
            });
        }
    }

    @Test
    void b6CallOfAnUnknownToolIsDenied() throws Exception {
        try (var bench = new ServeBench().with("one", call -> 1)) {
            bench.legacy().call("other", "{}");

            assertThat(bench.records()).singleElement().isInstanceOfSatisfying(ToolDenied.class, denied -> {
                assertThat(denied.call().tool()).isEqualTo("other");
                assertThat(denied.call().principal()).isEqualTo(Principal.ANONYMOUS);
                assertThat(denied.reason()).contains("unknown tool: 'other'");
            });
        }
    }

    @Test
    void b6FailureIsRecordedWithItsError() throws Exception {
        try (var bench = new ServeBench().with("fails", call -> {
            throw new IllegalStateException("the disk is full");
        })) {
            bench.legacy().envelope("fails", "{}");

            var failure = failure(bench.records().get(1));
            assertThat(failure.code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
            assertThat(failure.message()).isEqualTo("the disk is full");
            assertThat(failure.cause()).containsInstanceOf(IllegalStateException.class);
            assertThat(failure.isToolError()).isTrue();
        }
    }

    @Test
    void b6BridgeFailureWithinAToolIsAToolError() throws Exception {
        var refused = Failure.of(ErrorCode.PROVIDER_TIMEOUT, "the other server is slow");
        try (var bench = new ServeBench().with("fails", call -> {
            throw CallException.of(refused);
        })) {
            assertThat(bench.legacy().call("fails", "{}")).contains("\"isError\":true", "PROVIDER_TIMEOUT");

            var failure = failure(bench.records().get(1));
            assertThat(failure.isToolError()).isTrue();
            assertThat(failure.delivery()).isEqualTo(Delivery.ANSWERED);
            assertThat(failure.message()).isEqualTo("the other server is slow");
        }
    }

    @ParameterizedTest
    @CsvSource({"OVERLOADED, NOT_SENT", "PROVIDER_TIMEOUT, UNKNOWN", "PROVIDER_CRASHED, UNKNOWN"})
    void failureOfTheWorkerProcessIsNotAToolError(ErrorCode code, Delivery delivery) throws Exception {
        var failed = Failure.of(code, "its process is at fault").withDelivery(delivery);
        try (var bench = new ServeBench().with("fails", inItsProcess(call -> {
            throw CallException.of(failed);
        }))) {
            assertThat(bench.legacy().call("fails", "{}")).contains("\"isError\":true", code.name());

            var failure = failure(bench.records().get(1));
            assertThat(failure.isToolError()).isFalse();
            assertThat(failure.code()).isEqualTo(code);
            assertThat(failure.delivery()).isEqualTo(delivery);
        }
    }

    @Test
    void exceptionOfAToolInItsProcessIsAToolError() throws Exception {
        try (var bench = new ServeBench().with("fails", inItsProcess(call -> {
            throw new IllegalStateException("the disk is full");
        }))) {
            bench.legacy().call("fails", "{}");

            var failure = failure(bench.records().get(1));
            assertThat(failure.isToolError()).isTrue();
            assertThat(failure.delivery()).isEqualTo(Delivery.ANSWERED);
        }
    }

    private static ToolHandler inItsProcess(ToolHandler tool) {
        return new ToolHandler() {

            @Override
            public @Nullable Object handle(ToolCall call) throws Exception {
                return tool.handle(call);
            }

            @Override
            public String sandbox() {
                return "L2";
            }
        };
    }

    private static Failure failure(Record exit) {
        return ((Outcome.Failed) ((ToolExit) exit).outcome()).failure();
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"ENTER_THROWS", "ENTER_BREAKS", "ENTER_FAILS"})
    void b6HandlerDoesNotRunIfItsEnterRecordFails(Fault fault) throws Exception {
        var ran = new AtomicInteger();
        var sink = new BrokenSink(fault);
        try (var bench = new ServeBench().auditedBy(sink).with("one", call -> ran.incrementAndGet())) {
            assertThat(bench.legacy().envelope("one", "{}"))
                    .isEqualTo("{\"ok\":false,\"error\":{\"code\":\"HANDLER_ERROR\",\"message\":\"audit-enter sink"
                            + " failed: no space left\"}}");

            assertThat(ran).hasValue(0);
            assertThat(sink.records()).hasSize(2);
            assertThat(failure(sink.records().get(1)).message()).contains("audit-enter sink failed");
            assertThat(failure(sink.records().get(1)).isToolError()).isFalse();
        }
    }

    @Test
    void b6SilentSinkDelaysACallUpToItsDeadline() throws Exception {
        var sink = new BrokenSink(Fault.ENTER_HANGS);
        try (var bench = new ServeBench().auditedBy(sink)) {
            bench.options.callTimeout(Duration.ofMillis(1_500));
            bench.with("one", call -> 1);

            assertThat(bench.legacy().call("one", "{}")).contains("-31003");
            Eventually.holds("the exit", () -> sink.records().size() == 2);
            assertThat(failure(sink.records().get(1)).code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Fault.class,
            names = {"EXIT_THROWS", "EXIT_BREAKS", "EXIT_FAILS"})
    void b6FailedExitRecordIsLoggedAndIgnored(Fault fault) throws Exception {
        try (var bench = new ServeBench()
                .auditedBy(new BrokenSink(fault))
                .with("one", call -> 1)
                .with("fails", call -> {
                    throw new IllegalStateException("the handler's own error");
                })) {
            var client = bench.legacy();

            assertThat(client.envelope("one", "{}")).isEqualTo("{\"ok\":true,\"data\":1}");
            assertThat(client.envelope("fails", "{}")).contains("the handler's own error");
            assertThat(bench.log.lines()).contains("[mcp-bridge] audit-exit sink failed: no space left");
        }
    }

    @Test
    void b6DuplicateCompletionOfASinkIsIgnored() throws Exception {
        try (var bench = new ServeBench()
                .auditedBy(new BrokenSink(Fault.EXIT_TELLS_TWICE))
                .with("one", call -> 1)) {
            var client = bench.legacy();

            assertThat(client.envelope("one", "{}")).contains("\"ok\":true");
            assertThat(client.envelope("one", "{}")).contains("\"ok\":true");
            assertThat(bench.log.lines()).noneMatch(line -> line.contains("audit-exit"));
        }
    }

    @ParameterizedTest
    @CsvSource({"DENIED_THROWS, NOTE_THROWS", "DENIED_BREAKS, NOTE_BREAKS"})
    void b6OtherFailuresOfASinkAreLogged(Fault denied, Fault note) throws Exception {
        try (var bench = new ServeBench().auditedBy(new BrokenSink(denied))) {
            bench.options.mode(ServerMode.READONLY);
            bench.with("writes", call -> 1);

            assertThat(bench.legacy().call("writes", "{}")).contains("-31008");
            assertThat(bench.log.lines()).contains("[mcp-bridge] audit-denied sink failed: no space left");
        }
        var log = new io.mcpbridge.testkit.RecordingLogger();
        new AuditRecorder(new BrokenSink(note), log).note(new AuditNote("odd", Map.of()));
        assertThat(log.lines()).containsExactly("[mcp-bridge] audit-note sink failed: no space left");
    }

    @Test
    void b6NoopSinkIsANewOneEachTime() {
        var one = ToolServer.create(ToolServerOptions.DEFAULTS);
        var other = ToolServer.create(ToolServerOptions.DEFAULTS);

        assertThat(one.auditSink()).isInstanceOf(NoopAuditSink.class).isNotSameAs(other.auditSink());
    }

    @Test
    void b6CancelledCallIsRecordedAsCancelled() throws Exception {
        var begun = new CountDownLatch(1);
        try (var bench = new ServeBench().with("slow", call -> {
            begun.countDown();
            new CountDownLatch(1).await();
            return null;
        })) {
            var client = bench.legacy();
            var id = client.beginCall("slow", "{}");
            begun.await();

            client.send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":%d}}"
                    .formatted(id));

            Eventually.holds("the exit", () -> bench.records().size() == 2);
            assertThat(failure(bench.records().get(1)).code()).isEqualTo(ErrorCode.CANCELLED);
            assertThat(failure(bench.records().get(1)).message()).contains("cancelled by the client");
            assertThat(failure(bench.records().get(1)).isToolError()).isFalse();
        }
    }

    @Test
    void b6RequestsWithoutAToolAreNotRecorded() throws Exception {
        try (var bench = new ServeBench()) {
            var client = bench.legacy();

            assertThat(client.ask("tools/call", "\"arguments\":{}")).contains("-32602", "params.name");
            assertThat(client.ask("tools/list", "\"cursor\":\"x\"")).contains("-32602", "has one page");
            assertThat(client.ask("prompts/list", "")).contains("-32601", "'prompts/list' is not served here");
            assertThat(bench.records()).isEmpty();
        }
    }

    @Test
    void b6InMemorySinkEvictsTheOldestRecords() {
        var memory = new InMemoryAuditSink();
        for (int i = 0; i <= InMemoryAuditSink.CAPACITY; i++) {
            var call = AuditedCallFixture.of("tools/call", "", "t", "");
            memory.denied(new ToolDenied(AuditedCallFixture.by(call, "id" + i, Principal.ANONYMOUS, ""), "why"));
        }
        memory.close();

        assertThat(memory.records()).hasSize(InMemoryAuditSink.CAPACITY);
        assertThat(memory.records().get(0).toString()).contains("id1,");
        assertThat(memory.durability()).isEqualTo(io.mcpbridge.spi.AuditSink.Durability.NONE);
    }
}
