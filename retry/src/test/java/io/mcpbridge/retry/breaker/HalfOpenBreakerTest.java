package io.mcpbridge.retry.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.retry.FailedAttempts;
import io.mcpbridge.spi.StageContext;
import io.mcpbridge.testkit.HeldHandler;
import io.mcpbridge.testkit.StageFixture;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An open breaker finds out without risking a call that the server works again. */
@Timeout(60)
class HalfOpenBreakerTest {
    private final BreakerBench bench = new BreakerBench();

    @Test
    void noCallPassesBeforeTheProbeSucceeds() {
        bench.fail(5);
        bench.passes();

        bench.calls.time().advance(BreakerBench.OPEN);

        assertThat(bench.probes).hasSize(1);
        assertThat(bench.passes()).isFalse();
        bench.probes.get(0).succeeded();
        assertThat(bench.passes()).isTrue();
    }

    @Test
    void successOfTheHalfOpenCallClosesTheBreaker() {
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
    void failureOfTheHalfOpenCallOpensTheBreakerForTwiceAsLong() {
        bench.openAndProbe();

        bench.fail(1);

        var rest =
                bench.send(BreakerBench.answering()).awaitFailure().retryAfter().orElseThrow();
        assertThat(rest).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(12));
    }

    @Test
    void cancelledHalfOpenCallLetsAnotherPass() {
        bench.openAndProbe();

        bench.sendFailing(Failure.of(ErrorCode.CANCELLED, "cancelled by the client"));

        assertThat(bench.passes()).isTrue();
    }

    @Test
    void progressOfTheHalfOpenCallClosesTheBreaker() {
        bench.openAndProbe();
        var server = new HeldHandler();
        bench.send(server);

        server.call(0).progress(1);

        assertThat(bench.passes()).isTrue();
        assertThat(bench.passes()).isTrue();
    }

    @Test
    void requestOfTheServerForTheHalfOpenCallClosesTheBreaker() {
        bench.openAndProbe();
        var server = new HeldHandler();
        bench.send(server);

        var release = server.call(0).call().deadline().hold();

        assertThat(bench.passes()).isTrue();
        assertThat(bench.passes()).isTrue();
        release.run();
    }

    @Test
    void slowHalfOpenCallLetsAnotherPass() {
        bench.openAndProbe();
        bench.send(new HeldHandler());
        bench.calls.time().advance(Duration.ofMillis(4_999));
        assertThat(bench.passes()).isFalse();

        bench.calls.time().advance(Duration.ofMillis(1));

        assertThat(bench.passes()).isTrue();
        assertThat(bench.state().value()).isZero();
    }

    @Test
    void defectBehindTheStageCounts() {
        bench.openAndProbe();

        var reply = bench.send(call -> {
            throw new IllegalStateException("a defect");
        });

        assertThat(reply.awaitFailure().message()).contains("a defect");
        assertThat(bench.state().value()).isEqualTo(1);
        bench.passes();
        bench.calls.time().advance(Duration.ofMinutes(1));
        assertThat(bench.probes).hasSize(2);
    }

    @Test
    void newConnectionLetsAnotherCallPass() {
        bench.openAndProbe();
        bench.send(new HeldHandler());

        bench.changes.accept("");

        assertThat(bench.passes()).isTrue();
        assertThat(bench.state().value()).isZero();
    }

    @Test
    void lateFailureOfAnEarlierHalfOpenCallDoesNotCountAfterAReconnect() {
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
    void secondFailureAfterAReconnectOpensTheBreaker() {
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
    void probeThatThrowsKeepsTheBreakerOpen() {
        var throwing = new BreakerStage(
                BreakerSettings.DEFAULTS,
                StageContext.of("tools", bench.calls.environment()).withProbe((caller, completion) -> {
                    throw new IllegalStateException("no more workers");
                }));
        for (int i = 0; i < 5; i++) {
            StageFixture.send(throwing, bench.calls.tool(), BreakerBench.failing(FailedAttempts.notSent()));
        }
        bench.calls.time().advance(BreakerBench.OPEN);

        var refused = StageFixture.send(throwing, bench.calls.tool(), BreakerBench.answering())
                .awaitFailure();

        assertThat(refused.message()).contains("no more workers");
        assertThat(refused.retryAfter().orElseThrow()).isBetween(Duration.ofSeconds(8), Duration.ofSeconds(12));
    }

    @Test
    void openIntervalsDoubleUpToFiveMinutes() {
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
    void reconnectReplacesTheProbe() {
        bench.fail(5);
        bench.changes.accept("notifications/tools/list_changed");
        assertThat(bench.passes()).isFalse();

        bench.changes.accept("");

        assertThat(bench.passes()).isTrue();
        assertThat(bench.probes).isEmpty();
        assertThat(bench.state().words()).isEqualTo("closed");
    }

    @Test
    void serverWithoutCallsIsNotProbed() {
        bench.fail(5);

        bench.calls.time().advance(Duration.ofHours(1));
        assertThat(bench.probes).isEmpty();
        assertThat(bench.calls.time().pendingAlarms()).isZero();
        bench.passes();

        assertThat(bench.probes).hasSize(1);
    }

    @Test
    void answerOfAnEarlierStateChangesNothing() {
        var server = new HeldHandler();
        bench.send(server);
        bench.fail(5);

        server.call(0).answer("{}");

        assertThat(bench.passes()).isFalse();
    }
}
