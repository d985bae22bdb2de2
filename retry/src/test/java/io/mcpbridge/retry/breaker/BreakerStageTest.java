package io.mcpbridge.retry.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.testkit.FailedAttempts;
import io.mcpbridge.testkit.HeldHandler;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server that fails is held off: when, for how long, and what its callers are told. */
@Timeout(60)
class BreakerStageTest {
    private final BreakerBench bench = new BreakerBench();

    @Test
    void fiveFailuresInARowHoldTheServerOff() {
        bench.fail(4);
        assertThat(bench.state().words()).isEqualTo("closed");

        bench.fail(1);

        assertThat(bench.passes()).isFalse();
        assertThat(bench.state().value()).isEqualTo(1);
        assertThat(bench.events).singleElement().isInstanceOfSatisfying(BridgeEvent.BreakerOpened.class, opened -> {
            assertThat(opened.server()).isEqualTo("tools");
            assertThat(opened.reason()).isEqualTo("connection reset");
            assertThat(opened.span()).isBetween(Duration.ofSeconds(4), BreakerBench.OPEN);
        });
    }

    @Test
    void whatTheBridgeItselfTurnsAwaySaysNothingOfTheServer() {
        for (int i = 0; i < 20; i++) {
            bench.sendFailing(FailedAttempts.notSent().withHoldOff(Duration.ofMillis(500)));
        }

        assertThat(bench.passes()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"PROVIDER_CRASHED", "PROVIDER_TIMEOUT", "UPSTREAM_INVALID"})
    void callsThatFailInProcessesOfTheirOwnSayNothingOfOthers(ErrorCode code) {
        for (int i = 0; i < 20; i++) {
            bench.sendFailing(
                    Failure.of(code, "no").withDelivery(Delivery.UNKNOWN).withIsolated());
        }

        assertThat(bench.passes()).isTrue();
        assertThat(bench.events).isEmpty();
    }

    @Test
    void oneCrashThatTakesSixteenCallsWithItIsOneFailure() {
        bench.crash(16);

        assertThat(bench.state().words()).isEqualTo("closed");
        assertThat(bench.passes()).isTrue();
        assertThat(bench.events).isEmpty();
    }

    @Test
    void fiveCrashesInARowHoldTheServerOff() {
        for (int i = 0; i < 4; i++) {
            bench.crash(16);
            assertThat(bench.state().value()).isZero();
        }

        bench.crash(16);

        assertThat(bench.state().value()).isEqualTo(1);
        assertThat(bench.events).singleElement().isInstanceOf(BridgeEvent.BreakerOpened.class);
    }

    @Test
    void timeOutsOfCallsAtOnceCountEach() {
        var server = new HeldHandler();
        for (int i = 0; i < 5; i++) {
            bench.send(server);
        }

        server.calls()
                .forEach(
                        held -> held.reply().done(Outcome.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, "timed out"))));

        assertThat(bench.state().value()).isEqualTo(1);
    }

    @Test
    void serverIsHeldOffUntilItHasGivenASignOfLife() {
        assertThat(bench.stage.heldOff()).isEmpty();
        bench.fail(5);
        bench.calls.time().advance(Duration.ofSeconds(1));

        var heldOff = bench.stage.heldOff().orElseThrow();
        bench.passes();
        bench.calls.time().advance(BreakerBench.OPEN);

        assertThat(heldOff.why()).contains("calls are held off").contains("connection reset");
        assertThat(heldOff.since())
                .isEqualTo(bench.stage.heldOff().orElseThrow().since());
        bench.probes.get(0).succeeded();
        assertThat(bench.stage.heldOff()).isEmpty();
    }

    @Test
    void oneSuccessBreaksARow() {
        for (int i = 0; i < 3; i++) {
            bench.fail(4);
            assertThat(bench.passes()).isTrue();
            bench.works(10);
        }

        assertThat(bench.events).isEmpty();
    }

    @Test
    void halfOfTenCallsWithinAMinuteHoldTheServerOff() {
        for (int i = 0; i < 4; i++) {
            bench.works(1);
            bench.fail(1);
        }
        bench.works(1);
        assertThat(bench.state().value()).isZero();

        bench.fail(1);

        assertThat(bench.state().value()).isEqualTo(1);
    }

    @Test
    void failuresOfMoreThanAMinuteAgoDoNotCount() {
        for (int i = 0; i < 4; i++) {
            bench.works(1);
            bench.fail(1);
        }
        bench.calls.time().advance(Duration.ofSeconds(61));

        bench.works(1);
        bench.fail(1);

        assertThat(bench.state().value()).isZero();
    }

    @Test
    void refusalSaysThatNothingWasSentAndWhenToComeBack() {
        bench.fail(5);

        var refused = bench.send(BreakerBench.answering()).awaitFailure();

        assertThat(refused.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(refused.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(refused.retryable()).isTrue();
        assertThat(refused.server()).isEqualTo("tools");
        assertThat(refused.retryAfter().orElseThrow()).isBetween(Duration.ofSeconds(4), BreakerBench.OPEN);
        assertThat(refused.message())
                .contains("server 'tools' is held off")
                .contains("connection reset")
                .contains("it is tried again in ");
    }

    @Test
    void openingAndClosingAreLogged() {
        bench.openAndProbe();
        bench.works(1);

        assertThat(bench.calls.log().lines())
                .anyMatch(line -> line.contains("server 'tools' is held off for ") && line.contains("connection reset"))
                .anyMatch(line -> line.contains("server 'tools' is called again"));
    }
}
