package io.mcpbridge.retry.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.event.BridgeEvent;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.retry.FailedAttempts;
import io.mcpbridge.testkit.HeldHandler;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When the breaker opens, for how long, and what its callers receive. */
@Timeout(60)
class BreakerStageTest {
    private final BreakerBench bench = new BreakerBench();

    @Test
    void fiveFailuresInARowOpenTheBreaker() {
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
    void rejectionsByTheBridgeDoNotCount() {
        for (int i = 0; i < 20; i++) {
            bench.sendFailing(FailedAttempts.notSent().withBreakerOpen(Duration.ofMillis(500)));
        }

        assertThat(bench.passes()).isTrue();
    }

    @ParameterizedTest(name = "{0}")
    @EnumSource(names = {"PROVIDER_CRASHED", "PROVIDER_TIMEOUT", "UPSTREAM_INVALID"})
    void failuresOfIsolatedCallsDoNotCount(ErrorCode code) {
        for (int i = 0; i < 20; i++) {
            bench.sendFailing(
                    Failure.of(code, "no").withDelivery(Delivery.UNKNOWN).withIsolated());
        }

        assertThat(bench.passes()).isTrue();
        assertThat(bench.events).isEmpty();
    }

    @Test
    void crashWithSixteenCallsIsOneFailure() {
        bench.crash(16);

        assertThat(bench.state().words()).isEqualTo("closed");
        assertThat(bench.passes()).isTrue();
        assertThat(bench.events).isEmpty();
    }

    @Test
    void fiveCrashesInARowOpenTheBreaker() {
        for (int i = 0; i < 4; i++) {
            bench.crash(16);
            assertThat(bench.state().value()).isZero();
        }

        bench.crash(16);

        assertThat(bench.state().value()).isEqualTo(1);
        assertThat(bench.events).singleElement().isInstanceOf(BridgeEvent.BreakerOpened.class);
    }

    @Test
    void concurrentTimeoutsCountSeparately() {
        var server = new HeldHandler();
        for (int i = 0; i < 5; i++) {
            bench.send(server);
        }

        server.calls()
                .forEach(held ->
                        held.reply().complete(Outcome.failed(Failure.of(ErrorCode.PROVIDER_TIMEOUT, "timed out"))));

        assertThat(bench.state().value()).isEqualTo(1);
    }

    @Test
    void breakerStaysOpenUntilTheProbeSucceeds() {
        assertThat(bench.stage.rejecting()).isEmpty();
        bench.fail(5);
        bench.calls.time().advance(Duration.ofSeconds(1));

        var heldOff = bench.stage.rejecting().orElseThrow();
        bench.passes();
        bench.calls.time().advance(BreakerBench.OPEN);

        assertThat(heldOff.why()).contains("circuit breaker open").contains("connection reset");
        assertThat(heldOff.since())
                .isEqualTo(bench.stage.rejecting().orElseThrow().since());
        bench.probes.get(0).succeeded();
        assertThat(bench.stage.rejecting()).isEmpty();
    }

    @Test
    void successResetsTheCountOfFailures() {
        for (int i = 0; i < 3; i++) {
            bench.fail(4);
            assertThat(bench.passes()).isTrue();
            bench.works(10);
        }

        assertThat(bench.events).isEmpty();
    }

    @Test
    void failureRateOpensTheBreaker() {
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
    void failuresBeforeTheWindowDoNotCount() {
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
    void rejectionNamesDeliveryAndRetryAfter() {
        bench.fail(5);

        var refused = bench.send(BreakerBench.answering()).awaitFailure();

        assertThat(refused.code()).isEqualTo(ErrorCode.PROVIDER_UNAVAILABLE);
        assertThat(refused.delivery()).isEqualTo(Delivery.NOT_SENT);
        assertThat(refused.retryable()).isTrue();
        assertThat(refused.server()).isEqualTo("tools");
        assertThat(refused.retryAfter().orElseThrow()).isBetween(Duration.ofSeconds(4), BreakerBench.OPEN);
        assertThat(refused.message())
                .contains("server 'tools' is unavailable (circuit breaker open)")
                .contains("connection reset")
                .contains("next attempt in ");
    }

    @Test
    void openingAndClosingAreLogged() {
        bench.openAndProbe();
        bench.works(1);

        assertThat(bench.calls.log().lines())
                .anyMatch(line -> line.contains("server 'tools' is unavailable (circuit breaker open for ")
                        && line.contains("connection reset"))
                .anyMatch(line -> line.contains("server 'tools' is available again (circuit breaker closed)"));
    }
}
