package io.mcpbridge.engine.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Cancellation;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.call.Reply;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Message;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Notification;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallContext;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call ends once and runs its hooks in their order, whatever they and its caller do. */
@Timeout(60)
class PipelineCallTest {
    private static final Outcome ANSWER = Outcome.answered(Response.result(MessageId.of(1), "{}"));
    private static final Outcome OTHER = Outcome.answered(Response.result(MessageId.of(1), "{\"other\":true}"));
    private static final Message EVENT = Notification.of("notifications/progress", "{}");

    private final StageFixture calls = new StageFixture();
    private final RecordingReply reply = new RecordingReply();
    private final List<String> order = Collections.synchronizedList(new ArrayList<>());

    @Test
    void firstOutcomeWins() {
        var call = call(reply);

        call.complete(ANSWER);
        call.complete(OTHER);

        assertThat(reply.outcomes()).containsExactly(ANSWER);
    }

    @Test
    void hooksRunInReverseOrderBeforeTheCaller() {
        var call = call(outcome -> order.add("caller"));
        call.onComplete(outcome -> order.add("first"));
        call.afterComplete(() -> order.add("after"));
        call.onComplete(outcome -> order.add("second"));

        call.complete(ANSWER);

        assertThat(order).containsExactly("second", "first", "caller", "after");
    }

    @Test
    void mappedOutcomeReachesEarlierHooksAndTheCaller() {
        var call = call(reply);
        call.onComplete(outcome -> order.add(outcome == OTHER ? "mapped" : "as it came"));
        call.mapOutcome(outcome -> OTHER);
        call.onComplete(outcome -> order.add(outcome == OTHER ? "mapped" : "as it came"));

        call.complete(ANSWER);

        assertThat(order).containsExactly("as it came", "mapped");
        assertThat(reply.outcomes()).containsExactly(OTHER);
    }

    @Test
    void hookOfAnEndedCallRunsAtOnce() {
        var call = call(reply);
        call.complete(ANSWER);

        call.onComplete(outcome -> order.add(outcome == ANSWER ? "answer" : "other"));
        call.afterComplete(() -> order.add("after"));

        assertThat(order).containsExactly("answer", "after");
    }

    @Test
    void hookThatThrowsDoesNotAffectOthers() {
        var call = call(reply);
        call.onComplete(outcome -> order.add("first"));
        call.onComplete(outcome -> {
            throw new IllegalStateException("a defect");
        });
        call.afterComplete(() -> {
            throw new NoClassDefFoundError("a class is missing");
        });
        call.afterComplete(() -> order.add("after"));

        call.complete(ANSWER);

        assertThat(order).containsExactly("first", "after");
        assertThat(reply.outcomes()).containsExactly(ANSWER);
        assertThat(calls.log().lines()).anyMatch(line -> line.contains("met a defect"));
    }

    @Test
    void mappingThatThrowsIsAnInternalError() {
        var call = call(reply);
        call.mapOutcome(outcome -> {
            throw new IllegalStateException("a defect");
        });

        call.complete(ANSWER);

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
    }

    @Test
    void callerThatThrowsDoesNotKeepHooksFromRunning() {
        var call = call(outcome -> {
            throw new IllegalStateException("a defect");
        });
        call.afterComplete(() -> order.add("after"));

        call.complete(ANSWER);

        assertThat(order).containsExactly("after");
    }

    @Test
    void eventsAfterTheEndAreDropped() {
        var call = call(reply);
        call.onEvent(event -> order.add("heard"));
        call.event(EVENT);
        call.complete(ANSWER);

        call.event(EVENT);

        assertThat(order).containsExactly("heard");
        assertThat(reply.events()).containsExactly(EVENT);
    }

    @Test
    void endOfAnAttemptDoesNotEndItsCall() {
        var call = call(reply);
        var attempt = call.newAttempt(new Cancellation());
        attempt.event(EVENT);
        attempt.complete(ANSWER);
        attempt.event(EVENT);

        assertThat(reply.events()).containsExactly(EVENT);
        assertThat(reply.isDone()).isFalse();
        assertThat(call.isEnded()).isFalse();
    }

    @Test
    void attemptOfAnEndedCallReachesNoCaller() {
        var call = call(reply);
        var attempt = call.newAttempt(new Cancellation());
        attempt.onComplete(call::complete);
        call.complete(OTHER);

        attempt.event(EVENT);
        attempt.complete(ANSWER);

        assertThat(reply.events()).isEmpty();
        assertThat(reply.outcomes()).containsExactly(OTHER);
    }

    @Test
    void stageMayCompleteTheCallWithinTheNextStage() {
        var handler = new Pipeline()
                .add(Pipeline.Position.AUDIT, (call, next) -> {
                    call.onComplete(outcome -> order.add("recorded"));
                    next.handle(call);
                    order.add("returned");
                })
                .handler(call -> call.complete(ANSWER), calls.log());

        handler.handle(calls.tool(), reply);

        assertThat(order).containsExactly("recorded", "returned");
        assertThat(reply.outcomes()).containsExactly(ANSWER);
    }

    @Test
    void stageThatThrowsAfterForwardingEndsTheCall() {
        var held = new ArrayList<CallContext>();
        var handler = new Pipeline()
                .add(Pipeline.Position.CACHE, (call, next) -> {
                    next.handle(call);
                    throw new IllegalStateException("a defect");
                })
                .handler(held::add, calls.log());

        handler.handle(calls.tool(), reply);
        held.get(0).complete(ANSWER);

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
        assertThat(reply.outcomes()).hasSize(1);
    }

    @Test
    void stagesRunInTheOrderOfTheirPositions() {
        var handler = new Pipeline()
                .add(Pipeline.Position.BREAKER, stage("breaker"))
                .add(Pipeline.Position.AUDIT, stage("audit"))
                .add(Pipeline.Position.CACHE, stage("cache"))
                .handler(call -> call.complete(ANSWER), calls.log());

        handler.handle(calls.tool(), reply);

        assertThat(order).containsExactly("audit", "cache", "breaker");
    }

    @Test
    void twoStagesAtOnePositionAreRejected() {
        var pipeline = new Pipeline().add(Pipeline.Position.CACHE, stage("one"));

        assertThatThrownBy(() -> pipeline.add(Pipeline.Position.CACHE, stage("other")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("CACHE");
    }

    @Test
    void pausedDeadlineIsReportedToHoldObservers() {
        var call = call(reply);
        var held = new ArrayList<Boolean>();
        call.onHold(deadline -> held.add(deadline.isHeld()));

        var release = call.deadline().hold();
        release.run();

        assertThat(held).containsExactly(true, false);
    }

    @RepeatedTest(200)
    void hooksRunOnceIfTheyAreRegisteredWhileTheCallEnds() throws InterruptedException {
        var call = call(reply);
        var start = new CyclicBarrier(2);
        var registering = new Thread(() -> {
            meet(start);
            for (int i = 0; i < 20; i++) {
                call.onComplete(outcome -> order.add("hook"));
            }
        });
        registering.start();

        meet(start);
        call.complete(ANSWER);
        call.complete(Outcome.failed(Failure.of(ErrorCode.CANCELLED, CancelReason.CLIENT_GONE.text())));
        registering.join();

        assertThat(order).hasSize(20);
        assertThat(reply.outcomes()).containsExactly(ANSWER);
    }

    private static void meet(CyclicBarrier start) {
        try {
            start.await();
        } catch (Exception broken) {
            throw new IllegalStateException(broken);
        }
    }

    private CallStage stage(String name) {
        return (call, next) -> {
            order.add(name);
            next.handle(call);
        };
    }

    private PipelineCall call(Reply to) {
        return new PipelineCall(calls.tool(), to, calls.log());
    }
}
