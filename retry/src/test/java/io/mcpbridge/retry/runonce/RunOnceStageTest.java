package io.mcpbridge.retry.runonce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.CancelReason;
import io.mcpbridge.engine.translation.RequestDigests;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.retry.runonce.RunOnceSettings.Share;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls with one key run once, even if other clients repeat them, and what is kept of them has bounds. */
@Timeout(60)
class RunOnceStageTest {
    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final String DIFFERENT = "{\"name\":\"work\",\"arguments\":{\"n\":2}%s}";

    private final StageFixture calls = new StageFixture();
    private final HeldHandler server = new HeldHandler();
    private RunOnceStage stage = stage(RunOnceSettings.DEFAULTS);

    @Test
    void repeatedCallJoinsTheRunningOne() {
        var first = send(keyed("k"));
        var second = send(keyed("k"));
        assertThat(server.calls()).hasSize(1);

        var answer = server.call(0).answer("{\"n\":1}");

        assertThat(first.awaitAnswer()).isSameAs(answer);
        assertThat(second.awaitAnswer()).isSameAs(answer);
    }

    @Test
    void repeatedCallGetsTheStoredOutcome() {
        send(keyed("k"));
        var answer = server.call(0).answer("{\"n\":1}");

        var second = send(keyed("k"));

        assertThat(second.awaitAnswer()).isSameAs(answer);
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void inDoubtFailureIsStoredToo() {
        send(keyed("k"));
        server.call(0)
                .fail(Failure.of(ErrorCode.PROVIDER_CRASHED, "exit code 137").withDelivery(Delivery.UNKNOWN));

        assertThat(send(keyed("k")).awaitFailure().message()).isEqualTo("exit code 137");
        assertThat(server.calls()).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_SENT", "REJECTED"})
    void callThatDidNotRunMayRunWhenRepeated(Delivery delivery) {
        send(keyed("k"));
        server.call(0).fail(Failure.of(ErrorCode.OVERLOADED, "full").withDelivery(delivery));

        var second = send(keyed("k"));

        server.call(1).answer("{}");
        second.awaitAnswer();
    }

    @Test
    void keysArePerUser() {
        send(keyed("k"));

        send(of("bert", "k", "{\"name\":\"work\",\"arguments\":{}%s}"));

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void otherCallUnderTheSameKeyIsRejected() {
        send(keyed("k"));

        var refused = send(of("anna", "k", DIFFERENT)).awaitFailure();

        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
        assertThat(refused.message())
                .isEqualTo("the key 'k' in 'io.mcpbridge/idempotencyKey' belongs to another call;"
                        + " take a new key for each call");
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void sameCallInAnotherNotationIsTheSame() {
        send(of("anna", "k", "{\"name\":\"work\",\"arguments\":{\"a\":1,\"b\":2}%s}"));

        send(of("anna", "k", "{\"arguments\": {\"b\": 2, \"a\": 1.0}, \"name\": \"work\"%s}"));

        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void nextRoundOfACallIsAnotherCall() {
        send(keyed("k"));
        server.call(0).answer("{\"resultType\":\"input_required\",\"requestState\":\"s\"}");

        send(of("anna", "k", "{\"name\":\"work\",\"arguments\":{},\"requestState\":\"s\",\"inputResponses\":{}%s}"));

        assertThat(server.calls()).hasSize(2);
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"7", "\"\"", "null", "{}"})
    void keyThatIsNotATextIsRejected(String raw) {
        var params = "{\"name\":\"work\",\"_meta\":{\"io.mcpbridge/idempotencyKey\":%s}}";

        var refused = send(calls.of(Methods.TOOLS_CALL, params.formatted(raw))).awaitFailure();

        assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_PARAMS);
        assertThat(refused.message()).contains("'io.mcpbridge/idempotencyKey' is " + raw + " but must be a text");
    }

    @Test
    void callKnownToAnotherInstanceIsNotRun() {
        var params = "{\"name\":\"work\",\"_meta\":{\"io.mcpbridge/idempotencyKey\":\"k\",%s}}";
        var instance = "\"io.mcpbridge/idempotencyInstance\":\"%s\"";

        var refused = send(calls.of(Methods.TOOLS_CALL, params.formatted(instance.formatted("another"))));
        send(calls.of(Methods.TOOLS_CALL, params.formatted(instance.formatted("this-run"))));

        assertThat(refused.awaitFailure().code()).isEqualTo(ErrorCode.IN_DOUBT);
        assertThat(refused.awaitFailure().message()).contains("was restarted");
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void callsWithoutAKeyRunEachTime() {
        send(calls.tool());
        send(calls.tool());

        assertThat(server.calls()).hasSize(2);
    }

    @Test
    void progressReachesAllCallers() {
        var first = send(keyed("k"));
        var second = send(keyed("k"));

        server.call(0).progress(1);

        assertThat(first.events()).hasSize(1);
        assertThat(second.events()).hasSize(1);
    }

    @Test
    void callContinuesWithoutItsDisconnectedClient() {
        var call = keyed("k");
        var gone = send(call);
        call.cancellation().cancel(CancelReason.CLIENT_GONE);
        assertThat(gone.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
        assertThat(server.call(0).call().cancellation().isCancelled()).isFalse();

        var again = send(keyed("k"));
        calls.time().advance(Duration.ofSeconds(45));
        server.call(0).answer("{}");

        again.awaitAnswer();
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void abandonedCallIsCancelled() {
        var call = keyed("k");
        send(call);

        call.cancellation().cancel(CancelReason.CLIENT_GONE);
        calls.time().advance(Duration.ofSeconds(31));

        assertThat(server.call(0).call().cancellation().reason()).contains(CancelReason.CLIENT_GONE);
    }

    @Test
    void cancellationByTheOnlyClientCancelsTheCall() {
        var call = keyed("k");
        send(call);

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);

        assertThat(server.call(0).call().cancellation().reason()).contains(CancelReason.CLIENT_CANCELLED);
    }

    @Test
    void cancellationByOneOfTwoClientsKeepsTheCall() {
        var call = keyed("k");
        var left = send(call);
        var stays = send(keyed("k"));

        call.cancellation().cancel(CancelReason.CLIENT_CANCELLED);
        server.call(0).answer("{}");

        assertThat(left.awaitFailure().code()).isEqualTo(ErrorCode.CANCELLED);
        stays.awaitAnswer();
    }

    @Test
    void callWithoutItsClientEndsAtItsDeadline() {
        var call = calls.by("anna", Methods.TOOLS_CALL, params("k"), Duration.ofSeconds(5));
        send(call);
        call.cancellation().cancel(CancelReason.CLIENT_GONE);

        calls.time().advance(Duration.ofSeconds(5));

        assertThat(server.call(0).call().cancellation().reason()).contains(CancelReason.TIMED_OUT);
    }

    @Test
    void callersDoNotWaitLongerThanTheDeadlineOfTheCall() {
        var first = send(calls.by("anna", Methods.TOOLS_CALL, params("k"), Duration.ofSeconds(5)));
        var second = send(calls.by("anna", Methods.TOOLS_CALL, params("k"), Duration.ofSeconds(60)));

        calls.time().advance(Duration.ofSeconds(5));

        assertThat(first.awaitFailure().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
        assertThat(second.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
    }

    @Test
    void outcomeExpiresAfterTenMinutes() {
        send(keyed("k"));
        server.call(0).answer("{}");

        calls.time().advance(Duration.ofMinutes(10).minusMillis(1));
        send(keyed("k")).awaitAnswer();
        calls.time().advance(Duration.ofMillis(1));
        send(keyed("k"));

        assertThat(server.calls()).hasSize(2);
        server.call(1).answer("{}");
        calls.time().advance(Duration.ofMinutes(10));
        assertThat(calls.time().pendingAlarms()).isZero();
    }

    @Test
    void oversizedOutcomeIsNotStoredAndTheCallNotRunAgain() {
        stage = stage(limits(1, 40, new Share(10, 1_000)));
        var first = send(keyed("k"));
        server.call(0).answer("{\"text\":\"%s\"}".formatted("x".repeat(100)));
        first.awaitAnswer();

        var second = send(keyed("k")).awaitFailure();

        assertThat(second.code()).isEqualTo(ErrorCode.IN_DOUBT);
        assertThat(second.message())
                .isEqualTo("the call with the key 'k' has run already, but its outcome is not kept any more;"
                        + " it is not repeated");
        assertThat(server.calls()).hasSize(1);
    }

    @Test
    void oldestOutcomesAreEvictedButTheirCallsStayKnown() {
        stage = stage(limits(1, 1_000, new Share(10, 100)));
        for (var key : new String[] {"a", "b", "c"}) {
            send(keyed(key));
            server.last().answer("{}");
        }

        assertThat(send(keyed("a")).awaitFailure().code()).isEqualTo(ErrorCode.IN_DOUBT);
        send(keyed("c")).awaitAnswer();
        assertThat(server.calls()).hasSize(3);
    }

    @Test
    void oldestCallsAreEvictedBeyondTheLimit() {
        stage = stage(limits(1, 1_000, new Share(2, 10_000)));
        for (var key : new String[] {"a", "b", "c"}) {
            send(keyed(key));
            server.last().answer("{}");
        }

        send(keyed("c")).awaitAnswer();
        send(keyed("a"));

        assertThat(server.calls()).hasSize(4);
    }

    @Test
    void callsInProgressAreLimitedPerUser() {
        stage = stage(limits(1, 1_000, new Share(2, 10_000)));
        send(keyed("a"));

        var refused = send(keyed("b")).awaitFailure();
        send(of("bert", "b", DIFFERENT));

        assertThat(refused.code()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(refused.message()).contains("1 calls with a key");
        assertThat(server.calls()).hasSize(2);
        server.call(0).answer("{}");
        send(keyed("b"));
        assertThat(server.calls()).hasSize(3);
    }

    @Test
    void gaugesShowNumberAndBytesOfStoredCalls() {
        send(keyed("ended"));
        var answer = server.call(0).answer("{\"n\":1}");
        send(keyed("under way"));

        assertThat(stage.readings())
                .extracting(GaugeReading::name, GaugeReading::value)
                .containsExactly(tuple("repeats.calls", 2.0), tuple("repeats.bytes", (double) answer.length()));
    }

    private static RunOnceSettings limits(int running, int largest, Share share) {
        return new RunOnceSettings(Duration.ofMinutes(10), share, share, running, largest, Duration.ofSeconds(30));
    }

    private RunOnceStage stage(RunOnceSettings limits) {
        var digests = new RequestDigests();
        var context = StageContext.of("", calls.environment())
                .withInstance("this-run")
                .withDigest(call -> digests.of(call.request()));
        return new RunOnceStage(limits, context);
    }

    private Call keyed(String key) {
        return calls.by("anna", Methods.TOOLS_CALL, params(key), TIMEOUT);
    }

    private Call of(String principal, String key, String params) {
        return calls.by(principal, Methods.TOOLS_CALL, params.formatted(meta(key)), TIMEOUT);
    }

    private static String params(String key) {
        return "{\"name\":\"work\",\"arguments\":{}%s}".formatted(meta(key));
    }

    private static String meta(String key) {
        return ",\"_meta\":{\"io.mcpbridge/idempotencyKey\":\"%s\",\"progressToken\":1}".formatted(key);
    }

    private RecordingReply send(Call call) {
        return StageFixture.send(stage, call, server);
    }
}
