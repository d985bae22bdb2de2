package io.mcpbridge.retry.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Methods;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No more attempts are in progress than the limit; the others wait. */
@Timeout(60)
class ConcurrencyStageTest {
    private final StageFixture calls = new StageFixture();
    private final HeldHandler server = new HeldHandler();

    @Test
    void nextAttemptBeginsWhenOneEnds() {
        var stage = stage(2, 100);
        for (int i = 0; i < 4; i++) {
            send(stage, "anna");
        }
        assertThat(server.calls()).hasSize(2);

        server.call(0).answer("{}");

        assertThat(server.calls()).hasSize(3);
        assertThat(stage.readings().get(0).value()).isEqualTo(2);
        assertThat(stage.readings().get(1).value()).isEqualTo(1);
    }

    @Test
    void usersAreServedRoundRobinAndEachInOrder() {
        var stage = stage(1, 100);
        for (var user : new String[] {"anna", "anna", "anna", "ben", "carl", "ben"}) {
            send(stage, user);
        }

        for (int i = 0; i < 6; i++) {
            server.call(i).answer("{}");
        }

        assertThat(server.calls().stream()
                        .map(held -> held.call().caller().principal().name()))
                .containsExactly("anna", "anna", "ben", "carl", "anna", "ben");
    }

    @Test
    void fullQueueRejectsAndNamesTheLimit() {
        var stage = stage(1, 1);
        send(stage, "anna");
        send(stage, "anna");

        var refused = send(stage, "anna").awaitFailure();

        assertThat(refused.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(refused.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(refused.message()).contains("1 attempts wait for server 'tools' already, which is the limit");
    }

    @Test
    void fullQueueEvictsTheNewestCallOfTheUserWithMost() {
        var stage = stage(1, 3);
        send(stage, "flood");
        var older = send(stage, "flood");
        send(stage, "flood");
        var newest = send(stage, "flood");

        send(stage, "ben");
        server.call(0).answer("{}");
        server.call(1).answer("{}");

        assertThat(newest.awaitFailure().code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(newest.awaitFailure().delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(older.isDone()).isTrue();
        assertThat(server.last().call().caller().principal().name()).isEqualTo("ben");
    }

    @Test
    void fullQueueOfEqualUsersRejectsTheArrivingCall() {
        var stage = stage(1, 2);
        send(stage, "anna");
        send(stage, "anna");
        send(stage, "ben");

        var refused = send(stage, "carl");

        assertThat(refused.awaitFailure().code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(stage.readings().get(1).value()).isEqualTo(2);
    }

    @Test
    void callReleasesItsPermitWhileItsClientIsAsked() {
        var stage = stage(1, 100);
        for (int i = 0; i < 4; i++) {
            send(stage, "anna");
        }

        var release = server.call(0).call().deadline().hold();
        assertThat(server.calls()).hasSize(2);
        release.run();
        assertThat(stage.readings().get(0).value()).isEqualTo(2);
        server.call(1).answer("{}");
        assertThat(server.calls()).hasSize(2);
        server.call(0).answer("{}");

        assertThat(server.calls()).hasSize(3);
        assertThat(stage.readings().get(0).value()).isEqualTo(1);
    }

    @Test
    void callThatEndsWhileItsClientIsAskedReleasesItsPermitOnce() {
        var stage = stage(1, 100);
        send(stage, "anna");

        var release = server.call(0).call().deadline().hold();
        server.call(0).answer("{}");
        release.run();

        assertThat(stage.readings().get(0).value()).isZero();
    }

    @Test
    void callThatExpiresWhileItWaitsIsNeverSent() {
        var stage = stage(1, 100);
        send(stage, "anna");
        var call = call("anna");
        var reply = send(stage, call);

        call.cancellation().cancel(CancelReason.TIMED_OUT);
        server.call(0).answer("{}");

        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(reply.awaitFailure().message())
                .contains("was cancelled while it waited for a limit of server 'tools'");
        assertThat(server.calls()).hasSize(1);
        assertThat(stage.readings().get(0).value()).isZero();
    }

    @Test
    void thousandsOfImmediateAnswersDoNotRecurse() {
        var stage = stage(1, 100_000);
        send(stage, "anna");
        var replies = new ArrayList<RecordingReply>();
        for (int i = 0; i < 50_000; i++) {
            replies.add(StageFixture.send(
                    stage,
                    call("anna"),
                    call -> call.complete(Outcome.answered(Response.result(MessageId.of(1), "{}")))));
        }

        server.call(0).answer("{}");

        assertThat(replies).allMatch(RecordingReply::isDone);
    }

    @Test
    void defectBehindTheStageReleasesThePermit() {
        var stage = stage(1, 100);
        var reply = StageFixture.send(stage, call("anna"), call -> {
            throw new IllegalStateException("a defect");
        });

        send(stage, "anna");

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.INTERNAL_ERROR);
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void manyThreadsNeverExceedTheLimit() throws InterruptedException {
        var stage = stage(3, 100_000);
        var underWay = new AtomicInteger();
        var most = new AtomicInteger();
        var ended = new AtomicInteger();
        var threads = new ArrayList<Thread>();
        for (int i = 0; i < 4; i++) {
            threads.add(new Thread(() -> {
                for (int j = 0; j < 2_000; j++) {
                    StageFixture.send(stage, call("anna"), call -> {
                        most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                        ended.incrementAndGet();
                        underWay.decrementAndGet();
                        call.complete(Outcome.answered(Response.result(MessageId.of(1), "{}")));
                    });
                }
            }));
        }

        threads.forEach(Thread::start);
        for (var thread : threads) {
            thread.join();
        }

        assertThat(most.get()).isLessThanOrEqualTo(3);
        assertThat(ended).hasValue(8_000);
    }

    private ConcurrencyStage stage(int max, int queue) {
        return new ConcurrencyStage(new ConcurrencySettings(max, queue), StageContext.of("tools", calls.environment()));
    }

    private RecordingReply send(ConcurrencyStage stage, String principal) {
        return send(stage, call(principal));
    }

    private RecordingReply send(ConcurrencyStage stage, Call call) {
        return StageFixture.send(stage, call, server);
    }

    private Call call(String principal) {
        return calls.by(principal, Methods.TOOLS_CALL, "{\"name\":\"work\"}", Duration.ofMinutes(1));
    }
}
