package io.mcpbridge.retry.breaker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.FailedAttempts;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.StageCalls;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that was held off is found again without risking anybody's call. */
@Timeout(60)
class BreakerTrialTest {
    private final BreakerBench bench = new BreakerBench();

    @Test
    void noCallPassesBeforeTheServerHasAnsweredTheProbe() {
        bench.fail(5);
        bench.passes();

        bench.calls.time().advance(BreakerBench.OPEN);

        assertThat(bench.probes).hasSize(1);
        assertThat(bench.passes()).isFalse();
        bench.probes.get(0).succeeded();
        assertThat(bench.passes()).isTrue();
    }

    @Test
    void oneCallIsTriedAfterTheProbeAndItsSuccessLetsAllPass() {
        bench.openAndProbe();
        var server = new HeldHandler();
        bench.send(server);
        assertThat(bench.state().value()).isEqualTo(0.5);
        assertThat(bench.passes()).isFalse();

        server.call(0).answer("{}");

        assertThat(bench.passes()).isTrue();
        assertThat(bench.passes()).isTrue();
        assertThat(bench.events).last().isInstanceOf(BridgeEvent.BreakerClosed.class);
    }

    @Test
    void failureOfTheCallOnTrialHoldsTheServerOffTwiceAsLong() {
        bench.openAndProbe();

        bench.fail(1);

        var rest =
                bench.send(BreakerBench.answering()).awaitFailure().retryAfter().orElseThrow();
        assertThat(rest).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(12));
    }

    @Test
    void callOnTrialThatWasWithdrawnLetsAnotherOneTry() {
        bench.openAndProbe();

        bench.sendFailing(Failure.of(ErrorCode.CANCELLED, "cancelled by the client"));

        assertThat(bench.passes()).isTrue();
    }

    @Test
    void progressOfTheCallOnTrialLetsAllPass() {
        bench.openAndProbe();
        var server = new HeldHandler();
        bench.send(server);

        server.call(0).progress(1);

        assertThat(bench.passes()).isTrue();
        assertThat(bench.passes()).isTrue();
    }

    @Test
    void questionOfTheServerForTheCallOnTrialLetsAllPass() {
        bench.openAndProbe();
        var server = new HeldHandler();
        bench.send(server);

        var release = server.call(0).call().deadline().hold();

        assertThat(bench.passes()).isTrue();
        assertThat(bench.passes()).isTrue();
        release.run();
    }

    @Test
    void callOnTrialThatTakesLongLetsAnotherOneTry() {
        bench.openAndProbe();
        bench.send(new HeldHandler());
        bench.calls.time().advance(Duration.ofMillis(4_999));
        assertThat(bench.passes()).isFalse();

        bench.calls.time().advance(Duration.ofMillis(1));

        assertThat(bench.passes()).isTrue();
        assertThat(bench.state().value()).isZero();
    }

    @Test
    void defectBehindTheStageDuringTheTrialCountsAndIsPassedOn() {
        bench.openAndProbe();

        assertThatThrownBy(() -> bench.send((call, reply) -> {
                    throw new IllegalStateException("a defect");
                }))
                .hasMessage("a defect");

        assertThat(bench.state().value()).isEqualTo(1);
        bench.passes();
        bench.calls.time().advance(Duration.ofMinutes(1));
        assertThat(bench.probes).hasSize(2);
    }

    @Test
    void newConnectionLetsAnotherOneTry() {
        bench.openAndProbe();
        bench.send(new HeldHandler());

        bench.changes.accept("");

        assertThat(bench.passes()).isTrue();
        assertThat(bench.state().value()).isZero();
    }

    @Test
    void lateFailureOfAnEarlierTrialDoesNotHoldOffAServerThatWasConnectedAnew() {
        bench.openAndProbe();
        var server = new HeldHandler();
        bench.send(server);
        bench.changes.accept("");

        server.call(0).fail(FailedAttempts.notSent());

        assertThat(bench.state().value()).isEqualTo(0.5);
        assertThat(bench.passes()).isTrue();
        assertThat(bench.state().value()).isZero();
    }

    @Test
    void serverThatFailsAgainAfterItWasConnectedAnewIsHeldOff() {
        bench.openAndProbe();
        var server = new HeldHandler();
        for (int i = 0; i < 2; i++) {
            bench.send(server);
            bench.changes.accept("");
            server.call(i).fail(FailedAttempts.notSent());
        }

        assertThat(bench.state().value()).isEqualTo(1);
    }

    @Test
    void probeThatThrowsHoldsTheServerOffForAWhile() {
        var throwing = new BreakerStage(
                BreakerSettings.DEFAULTS,
                StageContext.of("tools", bench.calls.environment())
                        .probe((caller, completion) -> {
                            throw new IllegalStateException("no more workers");
                        })
                        .build());
        for (int i = 0; i < 5; i++) {
            StageCalls.send(throwing, bench.calls.tool(), BreakerBench.failing(FailedAttempts.notSent()));
        }
        bench.calls.time().advance(BreakerBench.OPEN);

        var refused = StageCalls.send(throwing, bench.calls.tool(), BreakerBench.answering())
                .awaitFailure();

        assertThat(refused.message()).contains("no more workers");
        assertThat(refused.retryAfter().orElseThrow()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(12));
    }

    @Test
    void timesDoubleUpToFiveMinutes() {
        bench.fail(5);
        var longest = Duration.ZERO;
        for (int i = 0; i < 12; i++) {
            bench.passes();
            bench.calls.time().advance(Duration.ofMinutes(7));
            bench.probes.get(i).failed(new IllegalStateException("connection refused"));
            longest = bench.send(BreakerBench.answering())
                    .awaitFailure()
                    .retryAfter()
                    .orElseThrow();
        }

        assertThat(longest).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(6));
    }

    @Test
    void serverThatWasConnectedAgainNeedsNoProbe() {
        bench.fail(5);
        bench.changes.accept("notifications/tools/list_changed");
        assertThat(bench.passes()).isFalse();

        bench.changes.accept("");

        assertThat(bench.passes()).isTrue();
        assertThat(bench.probes).isEmpty();
        assertThat(bench.state().words()).isEqualTo("closed");
    }

    @Test
    void serverThatNobodyCallsIsNotAsked() {
        bench.fail(5);

        bench.calls.time().advance(Duration.ofHours(1));
        assertThat(bench.probes).isEmpty();
        assertThat(bench.calls.time().pendingAlarms()).isZero();
        bench.passes();

        assertThat(bench.probes).hasSize(1);
    }

    @Test
    void answerThatCameWhenTheServerWasHeldOffAlreadyChangesNothing() {
        var server = new HeldHandler();
        bench.send(server);
        bench.fail(5);

        server.call(0).answer("{}");

        assertThat(bench.passes()).isFalse();
    }
}
