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
import io.mcpbridge.retry.FailedAttempts;
import io.mcpbridge.retry.limit.RateLimitSettings.Rate;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls begin at the configured rate; earlier ones wait. */
@Timeout(60)
class RateLimitStageTest {
    private static final Outcome ANSWERED = Outcome.answered(Response.result(MessageId.of(1), "{}"));
    private static final Rate TEN = new Rate(10, 3);

    private final StageFixture calls = new StageFixture();
    private final HeldHandler server = new HeldHandler();
    private Consumer<String> changes = change -> {};

    @Test
    void burstBeginsAtOnceAndTheRestOneByOne() {
        var stage = stage(new RateLimitSettings(TEN, Rate.UNLIMITED, 100));
        for (int i = 0; i < 6; i++) {
            send(stage, "anna");
        }
        assertThat(server.calls()).hasSize(3);

        calls.time().advance(Duration.ofMillis(100));
        assertThat(server.calls()).hasSize(4);
        calls.time().advance(Duration.ofMillis(200));

        assertThat(server.calls()).hasSize(6);
        assertThat(calls.time().pendingAlarms()).isZero();
    }

    @Test
    void callsOfAMinuteDoNotExceedTheRateAndOneBurst() {
        var stage = stage(new RateLimitSettings(TEN, Rate.UNLIMITED, 10_000));
        for (int i = 0; i < 2_000; i++) {
            send(stage, call("anna", Duration.ofHours(1)));
        }

        calls.time().advance(Duration.ofSeconds(60));

        assertThat(server.calls()).hasSize(603);
    }

    @Test
    void callsOfOneUserBeginInOrder() {
        var stage = stage(new RateLimitSettings(TEN, Rate.UNLIMITED, 100));
        var sent = List.of(1, 2, 3, 4, 5, 6, 7).stream().map(i -> call("anna")).toList();
        sent.forEach(call -> send(stage, call));

        calls.time().advance(Duration.ofSeconds(1));

        assertThat(server.calls().stream().map(held -> held.call().correlationId()))
                .containsExactlyElementsOf(
                        sent.stream().map(Call::correlationId).toList());
    }

    @Test
    void floodOfOneUserDoesNotStarveTheOthers() {
        var stage = stage(new RateLimitSettings(TEN, Rate.UNLIMITED, 1_000));
        for (int i = 0; i < 100; i++) {
            send(stage, "flood");
        }
        send(stage, "ben");

        calls.time().advance(Duration.ofMillis(200));

        assertThat(principals()).contains("ben");
    }

    @Test
    void rateOfOneUserDoesNotAffectTheOthers() {
        var stage = stage(new RateLimitSettings(Rate.UNLIMITED, new Rate(1, 1), 100));
        send(stage, "anna");
        send(stage, "anna");

        send(stage, "ben");
        calls.time().advance(Duration.ZERO);

        assertThat(principals()).containsExactly("anna", "ben");
        calls.time().advance(Duration.ofSeconds(1));
        assertThat(principals()).containsExactly("anna", "ben", "anna");
    }

    @Test
    void callThatWouldBeginAfterItsDeadlineIsRejectedAtOnce() {
        var stage = stage(new RateLimitSettings(new Rate(1, 1), Rate.UNLIMITED, 100));
        send(stage, "anna");

        var refused = send(stage, call("anna", Duration.ofMillis(500))).awaitFailure();

        assertThat(refused.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(refused.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(refused.message())
                .contains("the rate limit of server 'tools' is reached")
                .contains("after its deadline");
    }

    @Test
    void fullQueueRejectsAndNamesTheLimit() {
        var stage = stage(new RateLimitSettings(new Rate(1, 1), Rate.UNLIMITED, 2));
        for (int i = 0; i < 3; i++) {
            send(stage, "anna");
        }

        assertThat(send(stage, "anna").awaitFailure().message())
                .contains("2 calls wait already, which is the limit 'rate-limit.queue'");
    }

    @Test
    void fullQueueEvictsTheNewestCallOfTheUserWithMost() {
        var stage = stage(new RateLimitSettings(new Rate(1, 1), Rate.UNLIMITED, 3));
        send(stage, "flood");
        var flood = List.of(send(stage, "flood"), send(stage, "flood"), send(stage, "flood"));

        var ben = send(stage, "ben");
        calls.time().advance(Duration.ofSeconds(1));
        calls.time().advance(Duration.ofSeconds(1));

        assertThat(flood.get(2).awaitFailure().code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(flood.get(1).isDone()).isFalse();
        assertThat(ben.isDone()).isFalse();
        assertThat(principals()).containsExactly("flood", "flood", "ben");
    }

    @Test
    void floodOfOneUserDoesNotDelayTheEstimateOfAnother() {
        var stage = stage(new RateLimitSettings(TEN, Rate.UNLIMITED, 10_000));
        for (int i = 0; i < 2_000; i++) {
            send(stage, call("flood", Duration.ofHours(1)));
        }

        var ben = send(stage, call("ben", Duration.ofSeconds(1)));

        assertThat(ben.isDone()).isFalse();
        calls.time().advance(Duration.ofMillis(300));
        assertThat(principals()).contains("ben");
    }

    @Test
    void callsThatWaitForAUserRateDoNotDelayOthers() {
        var stage = stage(new RateLimitSettings(new Rate(2, 100), new Rate(0.1, 1), 100));
        for (int i = 0; i < 4; i++) {
            send(stage, call("anna", Duration.ofHours(1)));
        }

        var ben = send(stage, call("ben", Duration.ofMillis(400)));
        calls.time().advance(Duration.ZERO);

        assertThat(ben.isDone()).isFalse();
        assertThat(principals()).containsExactly("anna", "ben");
    }

    @Test
    void queueOfAUserCountsByItsOwnRate() {
        var stage = stage(new RateLimitSettings(Rate.UNLIMITED, new Rate(1, 1), 100));
        for (int i = 0; i < 4; i++) {
            send(stage, "anna");
        }

        var refused = send(stage, call("anna", Duration.ofSeconds(3)));

        assertThat(refused.awaitFailure().message()).contains("after its deadline");
    }

    @Test
    void callCancelledWhileItWaitsNeverBegins() {
        var stage = stage(new RateLimitSettings(new Rate(1, 1), Rate.UNLIMITED, 100));
        send(stage, "anna");
        var call = call("anna");
        var reply = send(stage, call);

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        calls.time().advance(Duration.ofMinutes(1));

        assertThat(reply.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void retryAfterOf429PausesAllUsers() {
        var stage = stage(new RateLimitSettings(new Rate(1_000, 1_000), Rate.UNLIMITED, 100));
        var throttled = FailedAttempts.status(429, Delivery.REJECTED).withRetryAfter(Duration.ofSeconds(7));

        stage.attemptEnded(call("anna"), Outcome.failed(throttled), Duration.ZERO);
        send(stage, "ben");
        calls.time().advance(Duration.ofMillis(6_999));

        assertThat(server.calls()).isEmpty();
        assertThat(stage.readings().get(0).words()).isEqualTo("the server asked for a pause of 1 ms more");
        calls.time().advance(Duration.ofMillis(1));
        assertThat(principals()).containsExactly("ben");
    }

    @Test
    void pauseIsAtMostAMinute() {
        var stage = stage(new RateLimitSettings(TEN, Rate.UNLIMITED, 100));
        throttle(stage, Duration.ofDays(1));

        send(stage, call("ben", Duration.ofMinutes(2)));
        calls.time().advance(Duration.ofSeconds(60));

        assertThat(principals()).containsExactly("ben");
    }

    @Test
    void successEndsThePause() {
        var stage = stage(new RateLimitSettings(TEN, Rate.UNLIMITED, 100));
        throttle(stage, Duration.ofSeconds(30));
        send(stage, "ben");

        calls.time().advance(Duration.ofSeconds(1));
        ended(stage, Outcome.answered(Response.error(MessageId.of(1), -32603, "no")), Duration.ofMillis(900));
        assertThat(principals()).isEmpty();
        ended(stage, ANSWERED, Duration.ofMillis(900));

        assertThat(principals()).containsExactly("ben");
    }

    @Test
    void successOfAnEarlierCallDoesNotEndThePause() {
        var stage = stage(new RateLimitSettings(TEN, Rate.UNLIMITED, 100));
        throttle(stage, Duration.ofSeconds(30));
        send(stage, "ben");
        calls.time().advance(Duration.ofSeconds(1));

        ended(stage, ANSWERED, Duration.ofSeconds(2));

        assertThat(principals()).isEmpty();
    }

    @Test
    void statusShowsThePauseUntilItEnds() {
        var stage = stage(new RateLimitSettings(TEN, Rate.UNLIMITED, 100));
        assertThat(stage.rejecting()).isEmpty();
        throttle(stage, Duration.ofSeconds(30));
        calls.time().advance(Duration.ofSeconds(10));

        var heldOff = stage.rejecting().orElseThrow();
        calls.time().advance(Duration.ofSeconds(20));

        assertThat(heldOff.why()).contains("HTTP status 429", "20000 ms more");
        assertThat(stage.rejecting()).isEmpty();
    }

    @Test
    void newConnectionEndsThePause() {
        var stage = stage(new RateLimitSettings(TEN, Rate.UNLIMITED, 100));
        throttle(stage, Duration.ofSeconds(30));
        send(stage, "ben");

        changes.accept("notifications/tools/list_changed");
        calls.time().advance(Duration.ZERO);
        assertThat(principals()).isEmpty();
        changes.accept("");
        calls.time().advance(Duration.ZERO);

        assertThat(principals()).containsExactly("ben");
    }

    private void ended(RateLimitStage stage, Outcome outcome, Duration took) {
        stage.attemptEnded(call("anna"), outcome, took);
        calls.time().advance(Duration.ZERO);
    }

    private void throttle(RateLimitStage stage, Duration retryAfter) {
        var throttled = FailedAttempts.status(429, Delivery.REJECTED).withRetryAfter(retryAfter);
        stage.attemptEnded(call("anna"), Outcome.failed(throttled), Duration.ZERO);
    }

    private RateLimitStage stage(RateLimitSettings settings) {
        return new RateLimitStage(
                settings, StageContext.of("tools", calls.environment()).withChanges(listener -> changes = listener));
    }

    private RecordingReply send(RateLimitStage stage, String principal) {
        return send(stage, call(principal));
    }

    private RecordingReply send(RateLimitStage stage, Call call) {
        return StageFixture.send(stage, call, server);
    }

    private Call call(String principal) {
        return call(principal, Duration.ofMinutes(1));
    }

    private Call call(String principal, Duration timeout) {
        return calls.by(principal, Methods.TOOLS_CALL, "{\"name\":\"work\"}", timeout);
    }

    private List<String> principals() {
        return server.calls().stream()
                .map(held -> held.call().caller().principal().name())
                .toList();
    }
}
