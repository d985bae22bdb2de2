package io.mcpbridge.retry.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.Handler;
import io.mcpbridge.call.Outcome;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.MessageId;
import io.mcpbridge.message.Response;
import io.mcpbridge.spi.CallStage;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.FailedAttempts;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageCalls;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that fails is held off, and found again without risking anybody's call. */
@Timeout(30)
class BreakerStageTest {
    /** The open time of 5 s with the most that chance adds. */
    private static final Duration OPEN = Duration.ofSeconds(6);

    private final StageCalls calls = new StageCalls();
    private final List<Completion> probes = new ArrayList<>();
    private final List<BridgeEvent> events = new ArrayList<>();
    private Consumer<String> changes = change -> {};
    private final CallStage stage = new BreakerStage(
            BreakerSettings.DEFAULTS,
            StageContext.of("tools", calls.environment())
                    .probe((caller, completion) -> probes.add(completion))
                    .publisher(events::add)
                    .changes(listener -> changes = listener)
                    .build());

    @Test
    void fiveFailuresInARowHoldTheServerOff() {
        fail(4);
        assertThat(state().words()).isEqualTo("closed");

        fail(1);

        assertThat(passes()).isFalse();
        assertThat(state().value()).isEqualTo(1);
        assertThat(events).singleElement().isInstanceOfSatisfying(BridgeEvent.BreakerOpened.class, opened -> {
            assertThat(opened.server()).isEqualTo("tools");
            assertThat(opened.reason()).isEqualTo("connection reset");
            assertThat(opened.span()).isBetween(Duration.ofSeconds(4), OPEN);
        });
    }

    @Test
    void whatTheBridgeItselfTurnsAwaySaysNothingOfTheServer() {
        for (int i = 0; i < 20; i++) {
            sendFailing(FailedAttempts.notSent().withHoldOff(Duration.ofMillis(500)));
        }

        assertThat(passes()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"PROVIDER_CRASHED", "PROVIDER_TIMEOUT", "UPSTREAM_INVALID"})
    void callsThatFailInProcessesOfTheirOwnSayNothingOfOthers(ErrorCode code) {
        for (int i = 0; i < 20; i++) {
            sendFailing(Failure.of(code, "no").withDelivery(Delivery.UNKNOWN).withIsolated());
        }

        assertThat(passes()).isTrue();
        assertThat(events).isEmpty();
    }

    @Test
    void oneCrashThatTakesSixteenCallsWithItIsOneFailure() {
        crash(16);

        assertThat(state().words()).isEqualTo("closed");
        assertThat(passes()).isTrue();
        assertThat(events).isEmpty();
    }

    @Test
    void fiveCrashesInARowHoldTheServerOff() {
        for (int i = 0; i < 4; i++) {
            crash(16);
            assertThat(state().value()).isZero();
        }

        crash(16);

        assertThat(state().value()).isEqualTo(1);
        assertThat(events).singleElement().isInstanceOf(BridgeEvent.BreakerOpened.class);
    }

    @Test
    void timeOutsOfCallsAtOnceCountEach() {
        var server = new HeldHandler();
        for (int i = 0; i < 5; i++) {
            send(server);
        }

        server.calls()
                .forEach(
                        held -> held.reply().done(Outcome.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, "timed out"))));

        assertThat(state().value()).isEqualTo(1);
    }

    @Test
    void serverIsHeldOffUntilItHasGivenASignOfLife() {
        assertThat(stage.heldOff()).isEmpty();
        fail(5);
        calls.time().advance(Duration.ofSeconds(1));

        var heldOff = stage.heldOff().orElseThrow();
        passes();
        calls.time().advance(OPEN);

        assertThat(heldOff.why()).contains("calls are held off").contains("connection reset");
        assertThat(heldOff.since()).isEqualTo(stage.heldOff().orElseThrow().since());
        probes.get(0).succeeded();
        assertThat(stage.heldOff()).isEmpty();
    }

    @Test
    void oneSuccessBreaksARow() {
        for (int i = 0; i < 3; i++) {
            fail(4);
            assertThat(passes()).isTrue();
            works(10);
        }

        assertThat(events).isEmpty();
    }

    @Test
    void halfOfTenCallsWithinAMinuteHoldTheServerOff() {
        for (int i = 0; i < 4; i++) {
            works(1);
            fail(1);
        }
        works(1);
        assertThat(state().value()).isZero();

        fail(1);

        assertThat(state().value()).isEqualTo(1);
    }

    @Test
    void failuresOfMoreThanAMinuteAgoDoNotCount() {
        for (int i = 0; i < 4; i++) {
            works(1);
            fail(1);
        }
        calls.time().advance(Duration.ofSeconds(61));

        works(1);
        fail(1);

        assertThat(state().value()).isZero();
    }

    @Test
    void refusalSaysThatNothingWasSentAndWhenToComeBack() {
        fail(5);

        var refused = send(answering()).awaitFailure();

        assertThat(refused.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(refused.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(refused.retryable()).isTrue();
        assertThat(refused.server()).isEqualTo("tools");
        assertThat(refused.retryAfter().orElseThrow()).isBetween(Duration.ofSeconds(4), OPEN);
        assertThat(refused.message())
                .contains("server 'tools' is held off")
                .contains("connection reset")
                .contains("it is tried again in ");
    }

    @Test
    void noCallPassesBeforeTheServerHasAnsweredTheProbe() {
        fail(5);
        passes();

        calls.time().advance(OPEN);

        assertThat(probes).hasSize(1);
        assertThat(passes()).isFalse();
        probes.get(0).succeeded();
        assertThat(passes()).isTrue();
    }

    @Test
    void oneCallIsTriedAfterTheProbeAndItsSuccessLetsAllPass() {
        openAndProbe();
        var server = new HeldHandler();
        send(server);
        assertThat(state().value()).isEqualTo(0.5);
        assertThat(passes()).isFalse();

        server.call(0).answer("{}");

        assertThat(passes()).isTrue();
        assertThat(passes()).isTrue();
        assertThat(events).last().isInstanceOf(BridgeEvent.BreakerClosed.class);
    }

    @Test
    void failureOfTheCallOnTrialHoldsTheServerOffTwiceAsLong() {
        openAndProbe();

        fail(1);

        var rest = send(answering()).awaitFailure().retryAfter().orElseThrow();
        assertThat(rest).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(12));
    }

    @Test
    void callOnTrialThatWasWithdrawnLetsAnotherOneTry() {
        openAndProbe();

        sendFailing(Failure.of(ErrorCode.CANCELLED, "cancelled by the client"));

        assertThat(passes()).isTrue();
    }

    @Test
    void progressOfTheCallOnTrialLetsAllPass() {
        openAndProbe();
        var server = new HeldHandler();
        send(server);

        server.call(0).progress(1);

        assertThat(passes()).isTrue();
        assertThat(passes()).isTrue();
    }

    @Test
    void questionOfTheServerForTheCallOnTrialLetsAllPass() {
        openAndProbe();
        var server = new HeldHandler();
        send(server);

        var release = server.call(0).call().deadline().hold();

        assertThat(passes()).isTrue();
        assertThat(passes()).isTrue();
        release.run();
    }

    @Test
    void callOnTrialThatTakesLongLetsAnotherOneTry() {
        openAndProbe();
        send(new HeldHandler());
        calls.time().advance(Duration.ofMillis(4_999));
        assertThat(passes()).isFalse();

        calls.time().advance(Duration.ofMillis(1));

        assertThat(passes()).isTrue();
        assertThat(state().value()).isZero();
    }

    @Test
    void defectBehindTheStageDuringTheTrialCountsAndIsPassedOn() {
        openAndProbe();

        assertThatThrownBy(() -> send((call, reply) -> {
                    throw new IllegalStateException("a defect");
                }))
                .hasMessage("a defect");

        assertThat(state().value()).isEqualTo(1);
        passes();
        calls.time().advance(Duration.ofMinutes(1));
        assertThat(probes).hasSize(2);
    }

    @Test
    void newConnectionLetsAnotherOneTry() {
        openAndProbe();
        send(new HeldHandler());

        changes.accept("");

        assertThat(passes()).isTrue();
        assertThat(state().value()).isZero();
    }

    @Test
    void lateFailureOfAnEarlierTrialDoesNotHoldOffAServerThatWasConnectedAnew() {
        openAndProbe();
        var server = new HeldHandler();
        send(server);
        changes.accept("");

        server.call(0).fail(FailedAttempts.notSent());

        assertThat(state().value()).isEqualTo(0.5);
        assertThat(passes()).isTrue();
        assertThat(state().value()).isZero();
    }

    @Test
    void serverThatFailsAgainAfterItWasConnectedAnewIsHeldOff() {
        openAndProbe();
        var server = new HeldHandler();
        for (int i = 0; i < 2; i++) {
            send(server);
            changes.accept("");
            server.call(i).fail(FailedAttempts.notSent());
        }

        assertThat(state().value()).isEqualTo(1);
    }

    @Test
    void probeThatThrowsHoldsTheServerOffForAWhile() {
        var throwing = new BreakerStage(
                BreakerSettings.DEFAULTS,
                StageContext.of("tools", calls.environment())
                        .probe((caller, completion) -> {
                            throw new IllegalStateException("no more workers");
                        })
                        .build());
        for (int i = 0; i < 5; i++) {
            StageCalls.send(throwing, calls.tool(), failing(FailedAttempts.notSent()));
        }
        calls.time().advance(OPEN);

        var refused = StageCalls.send(throwing, calls.tool(), answering()).awaitFailure();

        assertThat(refused.message()).contains("no more workers");
        assertThat(refused.retryAfter().orElseThrow()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(12));
    }

    @Test
    void timesDoubleUpToFiveMinutes() {
        fail(5);
        var longest = Duration.ZERO;
        for (int i = 0; i < 12; i++) {
            passes();
            calls.time().advance(Duration.ofMinutes(7));
            probes.get(i).failed(new IllegalStateException("connection refused"));
            longest = send(answering()).awaitFailure().retryAfter().orElseThrow();
        }

        assertThat(longest).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(6));
    }

    @Test
    void serverThatWasConnectedAgainNeedsNoProbe() {
        fail(5);
        changes.accept("notifications/tools/list_changed");
        assertThat(passes()).isFalse();

        changes.accept("");

        assertThat(passes()).isTrue();
        assertThat(probes).isEmpty();
        assertThat(state().words()).isEqualTo("closed");
    }

    @Test
    void serverThatNobodyCallsIsNotAsked() {
        fail(5);

        calls.time().advance(Duration.ofHours(1));
        assertThat(probes).isEmpty();
        assertThat(calls.time().pendingAlarms()).isZero();
        passes();

        assertThat(probes).hasSize(1);
    }

    @Test
    void answerThatCameWhenTheServerWasHeldOffAlreadyChangesNothing() {
        var server = new HeldHandler();
        send(server);
        fail(5);

        server.call(0).answer("{}");

        assertThat(passes()).isFalse();
    }

    @Test
    void internalErrorsCount() {
        for (int i = 0; i < 5; i++) {
            sendRefused(-32603);
        }

        assertThat(passes()).isFalse();
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {-32700, -32600, -32601, -32602, -32000, -32001})
    void otherErrorsOfTheServerShowThatItWorks(int code) {
        fail(4);
        sendRefused(code);
        fail(4);

        assertThat(state().value()).isZero();
    }

    @ParameterizedTest(name = "status {0} counts: {1}")
    @CsvSource({"500, true", "502, true", "503, true", "429, false", "404, false", "401, false"})
    void onlyStatusesOfServerFaultsCount(int status, boolean counts) {
        for (int i = 0; i < 5; i++) {
            sendFailing(FailedAttempts.status(status, Delivery.UNKNOWN));
        }

        assertThat(passes()).isEqualTo(!counts);
    }

    @ParameterizedTest(name = "{0} counts: {1}")
    @CsvSource({
        "PROVIDER_TIMEOUT, true",
        "PROVIDER_CRASHED, true",
        "UPSTREAM_INVALID, true",
        "OVERLOADED, false",
        "CANCELLED, false",
        "SHUTTING_DOWN, false"
    })
    void onlyWhatTheServerCausedCounts(ErrorCode code, boolean counts) {
        for (int i = 0; i < 5; i++) {
            sendFailing(Failure.of(code, "no"));
        }

        assertThat(passes()).isEqualTo(!counts);
    }

    @Test
    void wordsOfTheServerAreNotToldToOtherCallers() {
        for (int i = 0; i < 5; i++) {
            sendRefused(-32603);
        }

        assertThat(send(answering()).awaitFailure().message())
                .contains("it answered with an internal error")
                .doesNotContain("secret");
    }

    @Test
    void openingAndClosingAreLogged() {
        openAndProbe();
        works(1);

        assertThat(calls.log().lines())
                .anyMatch(line -> line.contains("server 'tools' is held off for ") && line.contains("connection reset"))
                .anyMatch(line -> line.contains("server 'tools' is called again"));
    }

    private void openAndProbe() {
        fail(5);
        passes();
        calls.time().advance(OPEN);
        probes.get(probes.size() - 1).succeeded();
    }

    /** Ends so many calls at once, as the end of their connection does. */
    private void crash(int callsUnderWay) {
        var server = new HeldHandler();
        for (int i = 0; i < callsUnderWay; i++) {
            send(server);
        }
        var crash = Failure.of(ErrorCode.PROVIDER_CRASHED, "exit code 137").withDelivery(Delivery.UNKNOWN);
        server.calls().forEach(held -> held.reply().done(Outcome.failed(crash)));
    }

    private boolean passes() {
        var server = new HeldHandler();
        var reply = send(server);
        server.calls().forEach(held -> held.answer("{}"));
        return reply.awaitOutcome() instanceof Outcome.Answered;
    }

    private void works(int times) {
        for (int i = 0; i < times; i++) {
            send(answering());
        }
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            sendFailing(FailedAttempts.lost());
        }
    }

    private void sendFailing(Failure failure) {
        send(failing(failure));
    }

    private static Handler failing(Failure failure) {
        return (call, reply) -> reply.done(Outcome.failed(failure));
    }

    private void sendRefused(int code) {
        send((call, reply) -> reply.done(Outcome.answered(Response.error(MessageId.of(1), code, "a secret"))));
    }

    private static Handler answering() {
        return (call, reply) -> reply.done(Outcome.answered(Response.result(MessageId.of(1), "{\"isError\":true}")));
    }

    private RecordingReply send(Handler server) {
        return StageCalls.send(stage, calls.tool(), server);
    }

    private Reading state() {
        return stage.readings().get(0);
    }
}
