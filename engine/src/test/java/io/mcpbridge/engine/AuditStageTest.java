package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.pipeline.AuditStage;
import io.mcpbridge.engine.pipeline.Destination;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.ResolveStage;
import io.mcpbridge.engine.pipeline.SinkGuard;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageField;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.AuditMode;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSink.AuditedCall;
import io.mcpbridge.spi.AuditSink.ToolEnter;
import io.mcpbridge.spi.AuditSink.ToolExit;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.RecordingAuditSink;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The audit stage and calls whose records are safe, late or lost, with a paused clock. */
@Timeout(60)
class AuditStageTest {
    private static final String ASKS = "{\"resultType\":\"input_required\",\"requestState\":%s}";
    private static final String STATED = "{\"name\":\"work\",\"requestState\":%s}";

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final StageFixture calls = new StageFixture();
    private final HeldHandler server = new HeldHandler();
    private final RecordingAuditSink sink = new RecordingAuditSink();
    private final List<Consumer<Destination>> lookups = new ArrayList<>();
    private final AuditStage stage = stage(AuditMode.REQUIRED, sink);

    private AuditStage stage(AuditMode mode, AuditSink into) {
        return stage(mode, into, SECOND);
    }

    private AuditStage stage(AuditMode mode, AuditSink into, Duration maxWait) {
        var guard = new SinkGuard(into, calls.log(), calls.time());
        var records =
                new AuditStage.Records(guard, new DenialRecorder(guard::denied)::denied, ResolveStage::named, maxWait);
        return new AuditStage(mode, records, calls.environment(), Runnable::run);
    }

    private Destination destination(Call call) {
        return Destination.ofServer(
                "one", call.request().text(MessageField.NAME).orElse(""), "", server);
    }

    private RecordingReply send(AuditStage through, Call call) {
        return send(through, (each, found, refused) -> found.accept(destination(each)), call);
    }

    private RecordingReply send(AuditStage through, ResolveStage.Resolver resolver, Call call) {
        var handler = new Pipeline()
                .add(Position.RESOLVE, new ResolveStage(resolver, through))
                .add(Position.AUDIT, through)
                .handler(Pipeline.TO_DESTINATION, calls.log());
        return OneServer.through(handler, call);
    }

    private Failure exit(int index) {
        return ((Outcome.Failed) sink.exits().get(index).outcome()).failure();
    }

    @ParameterizedTest
    @ValueSource(longs = {50, 1_000, 5_000})
    void i12CallWaitsForItsRecordUpToTheConfiguredTime(long millis) {
        sink.holding();
        var reply = send(stage(AuditMode.REQUIRED, sink, Duration.ofMillis(millis)), calls.tool());

        calls.time().advance(Duration.ofMillis(millis - 1));
        assertThat(reply.isDone()).isFalse();
        calls.time().advance(Duration.ofMillis(1));

        var failure = reply.awaitFailure();
        assertThat(failure.code()).isEqualTo(ErrorCode.AUDIT_UNAVAILABLE);
        assertThat(failure.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(failure.retryable()).isTrue();
        assertThat(failure.server()).isEqualTo("one");
        assertThat(server.calls()).isEmpty();
        assertThat(exit(0).code()).isEqualTo(ErrorCode.AUDIT_UNAVAILABLE);
    }

    @Test
    void i12CallWaitsForItsRecordUpToItsDeadline() {
        sink.holding();
        var reply = send(stage, calls.by("anna", Methods.TOOLS_CALL, "{\"name\":\"work\"}", Duration.ofMillis(200)));

        calls.time().advance(Duration.ofMillis(200));

        assertThat(reply.awaitFailure().message()).contains("its record was not safe in time");
    }

    @Test
    void recordThatIsSafeTooLateSendsNothing() {
        sink.holding();
        var reply = send(stage, calls.tool());
        calls.time().advance(Duration.ofSeconds(1));

        sink.well();

        assertThat(server.calls()).isEmpty();
        assertThat(reply.outcomes()).hasSize(1);
        assertThat(sink.exits()).hasSize(1);
    }

    @Test
    void endedCallLeavesNoAlarmAndNoThirdRecord() {
        sink.holding();
        var call = calls.tool();
        var reply = send(stage, call);
        sink.well();
        server.call(0).answer("{}");
        reply.awaitAnswer();

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

        assertThat(calls.time().pendingAlarms()).isZero();
        assertThat(sink.records()).hasSize(2);
        assertThat(reply.outcomes()).hasSize(1);
    }

    @Test
    void callCancelledDuringItsWaitHasAnExitRecord() {
        sink.holding();
        var call = calls.tool();
        var reply = send(stage, call);

        call.cancellation().cancel(CancelReason.CLIENT_GONE);
        sink.well();

        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(exit(0).code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void answerIsDeliveredIfItsExitRecordIsNotSafeInTime() {
        var reply = send(stage, calls.tool());
        sink.holding();
        var answer = server.call(0).answer("{\"n\":1}");
        assertThat(reply.isDone()).isFalse();

        calls.time().advance(Duration.ofSeconds(1));

        assertThat(reply.awaitAnswer()).isSameAs(answer);
        assertThat(calls.log().lines()).anyMatch(line -> line.contains("(exit): it was not safe within 1000 ms"));
    }

    @Test
    void recordNamesTheServerOfTheCall() {
        send(stage, calls.tool());

        assertThat(server.calls()).hasSize(1);
        assertThat(sink.enters())
                .singleElement()
                .satisfies(enter -> assertThat(enter.call().server()).isEqualTo("one"));
    }

    @Test
    void exitRecordHasDurationAndAttemptsOfTheCall() {
        send(stage, calls.tool());
        calls.time().advance(Duration.ofMillis(1_234));
        server.call(0).answer("{}");

        assertThat(sink.exits()).singleElement().satisfies(exit -> {
            assertThat(exit.duration()).isEqualTo(Duration.ofMillis(1_234));
            assertThat(exit.attempts()).isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"s\"", "\"\\u0073\"", "{\"a\":1}"})
    void answerToAnElicitationContinuesTheOriginalCall(String state) {
        send(stage, calls.tool());
        server.call(0).answer(ASKS.formatted(state));

        send(stage, calls.of(Methods.TOOLS_CALL, STATED.formatted(state.replace("\\u0073", "s"))));

        assertThat(sink.enters()).extracting("continues").containsExactly("", "call-1");
    }

    @Test
    void stateOfAnotherUserContinuesNoCall() {
        send(stage, calls.tool());
        server.call(0).answer(ASKS.formatted("\"s\""));

        send(stage, calls.by("bert", Methods.TOOLS_CALL, STATED.formatted("\"s\""), Duration.ofMinutes(1)));

        assertThat(sink.enters()).extracting("continues").containsExactly("", "");
    }

    @Test
    void onlyTheLatestRequestStatesAreKept() {
        for (int i = 0; i <= 4_096; i++) {
            send(stage, calls.tool());
            server.last().answer(ASKS.formatted(i));
        }
        send(stage, calls.of(Methods.TOOLS_CALL, STATED.formatted(0)));
        send(stage, calls.of(Methods.TOOLS_CALL, STATED.formatted(1)));

        var enters = sink.enters();
        assertThat(enters.get(4_097).continues()).isEmpty();
        assertThat(enters.get(4_098).continues()).isEqualTo("call-2");
    }

    @Test
    void b6CallCancelledDuringToolLookupHasAPairAndNoDenial() {
        var call = calls.tool();
        var reply = send(stage(AuditMode.BEST_EFFORT, sink), (each, found, refused) -> lookups.add(found), call);

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        lookups.get(0).accept(destination(call));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(sink.denials()).isEmpty();
        assertThat(sink.enters())
                .singleElement()
                .satisfies(enter -> assertThat(enter.call())
                        .extracting(AuditedCall::method, AuditedCall::server, AuditedCall::tool)
                        .containsExactly(Methods.TOOLS_CALL, "", "work"));
        assertThat(exit(0).code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(exit(0).delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void callTimesOutDuringToolLookup() {
        var reply =
                send(stage(AuditMode.BEST_EFFORT, sink), (each, found, refused) -> lookups.add(found), calls.tool());

        calls.time().advance(Duration.ofMinutes(1));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(calls.time().pendingAlarms()).isZero();
        assertThat(exit(0).code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(sink.records()).hasSize(2);
    }

    @Test
    void anyThrowableOfASinkIsAnAuditFailure() {
        var broken = stage(AuditMode.REQUIRED, new ThrowingSink());

        var failure = send(broken, calls.tool()).awaitFailure();

        assertThat(failure.code()).isEqualTo(ErrorCode.AUDIT_UNAVAILABLE);
        assertThat(failure.message()).contains("its record was not kept").doesNotContain("a class is missing");
        assertThat(calls.log().lines()).anyMatch(line -> line.contains("a class is missing"));
        assertThat(server.calls()).isEmpty();
        assertThat(broken.readings())
                .contains(new GaugeReading("audit.failed", 2, "2 audit records that were not kept or not in time"));
    }

    @Test
    void sinkThatThrowsDoesNotAffectCallsInBestEffortMode() {
        var broken = stage(AuditMode.BEST_EFFORT, new ThrowingSink());
        var reply = send(broken, calls.tool());

        var answer = server.call(0).answer("{}");

        assertThat(reply.awaitAnswer()).isSameAs(answer);
    }

    @Test
    void alternatingSinkFailuresDoNotFloodTheLog() {
        var effort = stage(AuditMode.BEST_EFFORT, sink);
        for (int i = 0; i < 64; i++) {
            sink.failing(new IllegalStateException("the queue is full"));
            send(effort, calls.tool());
            sink.well();
            server.last().answer("{}");
        }

        assertThat(calls.log().lines())
                .noneMatch(line -> line.contains("kept again"))
                .filteredOn(line -> line.contains("the queue is full"))
                .hasSize(7);
        calls.time().advance(Duration.ofSeconds(1));
        assertThat(calls.log().lines()).last().asString().contains("kept again");
    }

    @Test
    void lastLogLineStatesThatRecordsAreNotKeptWhileTheSinkFails() {
        var effort = stage(AuditMode.BEST_EFFORT, sink);
        sink.failing(new IllegalStateException("the queue is full"));
        send(effort, calls.tool());
        sink.well();
        server.last().answer("{}");
        calls.time().advance(Duration.ofSeconds(1));

        sink.failing(new IllegalStateException("the disk is full"));
        send(effort, calls.tool());
        send(effort, calls.tool());
        calls.time().advance(Duration.ofSeconds(10));

        assertThat(calls.log().lines()).anyMatch(line -> line.contains("kept again"));
        assertThat(calls.log().lines()).last().asString().contains("the disk is full");
    }

    @Test
    void listRequestsAreNotRecorded() {
        send(stage, calls.of(Methods.TOOLS_LIST, "{}"));

        assertThat(server.calls()).hasSize(1);
        assertThat(sink.records()).isEmpty();
    }

    @Test
    void recordOfACompletionHasTheArgumentToComplete() {
        send(
                stage,
                calls.of(
                        Methods.COMPLETION_COMPLETE,
                        "{\"ref\":{\"type\":\"ref/prompt\",\"name\":\"p\"},\"argument\":{\"name\":\"a\",\"value\":\"x\"}}"));

        assertThat(sink.enters())
                .singleElement()
                .satisfies(enter -> assertThat(enter.arguments()).isEqualTo("{\"name\":\"a\",\"value\":\"x\"}"));
    }

    /** Breaks on everything. */
    private static final class ThrowingSink implements AuditSink {

        @Override
        public void enter(ToolEnter event, Completion durable) {
            throw new NoClassDefFoundError("a class is missing");
        }

        @Override
        public void exit(ToolExit event, Completion durable) {
            throw new NoClassDefFoundError("a class is missing");
        }

        @Override
        public Durability durability() {
            return Durability.DEVICE;
        }

        @Override
        public void close() {}
    }
}
