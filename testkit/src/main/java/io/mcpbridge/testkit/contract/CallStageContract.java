package io.mcpbridge.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Contract tests for every {@link CallStage}: it never waits, and each call has exactly one outcome. */
@Contract
public abstract class CallStageContract {
    private static final int MANY = 2_000;

    private final StageFixture calls = new StageFixture();
    private final HeldHandler server = new HeldHandler();

    /**
     * Creates a stage that admits {@value #MANY} concurrent calls of one tool and uses only the clock of
     * {@code environment}.
     */
    protected abstract CallStage stage(Environment environment);

    @Test
    void answerOfTheServerIsTheOutcome() {
        var reply = StageFixture.send(stage(calls.environment()), calls.tool(), server);

        var answer = server.call(0).answer("{\"content\":[]}");

        assertThat(reply.outcomes()).singleElement().isInstanceOf(Outcome.Answered.class);
        assertThat(reply.awaitAnswer().json()).isEqualTo(answer.json());
    }

    @Test
    void callIsPassedOnOnce() {
        StageFixture.send(stage(calls.environment()), calls.tool(), server);

        server.call(0).answer("{}");

        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void failureIsTheOutcome() {
        var reply = StageFixture.send(stage(calls.environment()), calls.tool(), server);

        server.call(0).fail(Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "reset").withDelivery(Delivery.UNKNOWN));

        assertThat(reply.outcomes()).hasSize(1);
        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
    }

    @Test
    void eventsComeInTheirOrder() {
        var reply = StageFixture.send(stage(calls.environment()), calls.tool(), server);

        var one = server.call(0).progress(1);
        var two = server.call(0).progress(2);
        server.call(0).answer("{}");

        assertThat(reply.events()).containsExactly(one, two);
        assertThat(reply.outcomes()).hasSize(1);
    }

    @Test
    void callsArePassedOnThoughNoneIsAnswered() {
        var stage = stage(calls.environment());

        for (int i = 0; i < MANY; i++) {
            StageFixture.send(stage, calls.tool("work", "{\"number\":%d}".formatted(i)), server);
        }

        assertThat(server.calls()).isNotEmpty();
    }

    @Test
    void cancellationReachesTheNextStage() {
        var call = calls.tool();
        var reply = StageFixture.send(stage(calls.environment()), call, server);

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        var held = server.call(0);
        assertThat(held.call().cancellation().isCancelled()).isTrue();
        held.fail(Failure.of(ErrorCode.CANCELLED, "cancelled by the client"));

        assertThat(reply.outcomes()).hasSize(1);
        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
    }

    @Test
    void cancelledCallEndsOnce() {
        var call = calls.tool();
        call.cancellation().cancel(CancelReason.CLIENT_GONE);

        var reply = StageFixture.send(stage(calls.environment()), call, server);
        server.calls().forEach(held -> held.fail(Failure.of(ErrorCode.CANCELLED, "the client disconnected")));

        assertThat(reply.outcomes()).hasSize(1);
    }

    @Test
    void nextCallIsServedAfterOneThatEnded() {
        var stage = stage(calls.environment());
        StageFixture.send(stage, calls.tool(), server);
        server.call(0).answer("{}");

        var reply = StageFixture.send(stage, calls.tool("work", "{\"again\":true}"), server);
        server.call(1).answer("{}");

        assertThat(reply.awaitAnswer().isError()).isFalse();
    }

    @Test
    void noAlarmOutlivesTheCalls() {
        var stage = stage(calls.environment());
        for (int i = 0; i < 10; i++) {
            StageFixture.send(stage, calls.tool("work", "{\"number\":%d}".formatted(i)), server);
        }

        server.calls().forEach(held -> held.answer("{}"));

        assertThat(calls.time().pendingAlarms()).isZero();
    }

    @Test
    void callsOfManyThreadsEndOnceEach() throws InterruptedException {
        var stage = stage(calls.environment());
        Queue<RecordingReply> replies = new ConcurrentLinkedQueue<>();
        var numbers = new AtomicInteger();

        ParallelThreads.run(4, () -> {
            for (int i = 0; i < MANY / 8; i++) {
                var call = calls.tool("work", "{\"number\":%d}".formatted(numbers.incrementAndGet()));
                replies.add(StageFixture.send(
                        stage,
                        call,
                        passed -> passed.complete(Outcome.answered(Response.result(MessageId.of(1), "{}")))));
            }
        });

        assertThat(replies)
                .hasSize(MANY / 2)
                .allSatisfy(reply -> assertThat(reply.outcomes()).hasSize(1));
    }

    @Test
    void readingsHaveNamesThatTelemetryCanUse() {
        var stage = stage(calls.environment());
        StageFixture.send(stage, calls.tool(), server);

        assertThat(stage.readings())
                .allSatisfy(reading -> assertThat(reading.name()).matches("[a-z][a-z0-9.-]*"));
    }
}
