package io.mcpbridge.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mcpbridge.call.Outcome;
import io.mcpbridge.engine.pipeline.AttemptLogger;
import io.mcpbridge.engine.pipeline.Pipeline;
import io.mcpbridge.engine.pipeline.Pipeline.Position;
import io.mcpbridge.engine.pipeline.RecoveryPolicy;
import io.mcpbridge.engine.pipeline.RetryBudget;
import io.mcpbridge.engine.pipeline.RetryBudgetSettings;
import io.mcpbridge.engine.pipeline.RetryStage;
import io.mcpbridge.failure.CallException;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.Settings;
import io.mcpbridge.testkit.RecordingReply;
import io.mcpbridge.testkit.StageFixture;
import io.mcpbridge.tool.ToolHints;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The load that retries add to a server that is down, with and without a budget; on a fake clock. */
@Timeout(60)
class RetryBudgetTest {
    private static final int CALLS = 3_000;
    private static final Duration BETWEEN_CALLS = Duration.ofMillis(20);

    private final StageFixture calls = new StageFixture();
    private final RetryBudget budget = RetryBudget.of(RetryBudgetSettings.DEFAULTS, calls.time());

    @Test
    void outageTriplesTheLoadWithoutABudget() {
        var load = loadDuringOutage(RetryBudget.UNLIMITED);

        assertThat(load).as("load on the server per call: %.4f", load).isEqualTo(3.0);
    }

    @Test
    void outageAddsAtMostTwoPercentWithTheBudget() {
        var load = loadDuringOutage(budget);

        assertThat(load).as("load on the server per call: %.4f", load).isBetween(1.001, 1.02);
    }

    @Test
    void throttlingServerReceivesAtMostTenPercentMore() {
        var throttled = FailedAttempts.status(429, Delivery.REJECTED);

        var load = load(budget, throttled);

        assertThat(load).as("load on the server per call: %.4f", load).isBetween(1.001, 1.1);
    }

    @Test
    void timeoutsCostTwice() {
        for (int i = 0; i < 5; i++) {
            assertThat(budget.tryAcquire(FailedAttempts.timedOut())).isTrue();
        }

        assertThat(budget.tryAcquire(FailedAttempts.timedOut())).isFalse();
    }

    @Test
    void tenSuccessesPayForOneRetry() {
        exhaust();

        for (int i = 0; i < 9; i++) {
            budget.succeeded();
        }
        assertThat(budget.tryAcquire(FailedAttempts.lost())).isFalse();
        budget.succeeded();

        assertThat(budget.tryAcquire(FailedAttempts.lost())).isTrue();
    }

    @Test
    void tenSecondsPayForOneRetryAndALongIdleTimeForTen() {
        exhaust();

        calls.time().advance(Duration.ofSeconds(10));
        assertThat(budget.tryAcquire(FailedAttempts.lost())).isTrue();
        assertThat(budget.tryAcquire(FailedAttempts.lost())).isFalse();
        calls.time().advance(Duration.ofHours(1));

        assertThat(budget.readings()).singleElement().satisfies(reading -> {
            assertThat(reading.name()).isEqualTo("retry.budget");
            assertThat(reading.value()).isEqualTo(100);
            assertThat(reading.words()).isEqualTo("100 of 100 left for retries");
        });
    }

    @Test
    void unsentCallIsRetriedOnceWithAnEmptyBudget() {
        exhaust();
        var attempts = new AtomicInteger();

        var reply = send(budget, FailedAttempts.notSent(), attempts);
        calls.time().advance(Duration.ofMinutes(1));

        assertThat(attempts).hasValue(2);
        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.NOT_SENT);
    }

    @Test
    void retryWithoutBudgetFailsAndNamesTheBudget() {
        exhaust();
        var attempts = new AtomicInteger();

        var reply = send(budget, FailedAttempts.lost(), attempts);

        assertThat(attempts).hasValue(1);
        assertThat(reply.awaitFailure().message())
                .isEqualTo("connection reset; it is not tried again, since the retry budget is spent");
        assertThat(reply.awaitFailure().withServer("x").withBudgetSpent().message())
                .endsWith("since the retry budget of 'x' is spent");
        assertThat(CallException.of(reply.awaitFailure().withAttempts(3).withRetryable(true)))
                .isExactlyInstanceOf(CallException.class)
                .hasMessageNotContaining("after all retries")
                .satisfies(failed -> assertThat(failed.attempts()).isEqualTo(3));
        assertThat(reply.awaitFailure().delivery()).isEqualTo(Delivery.UNKNOWN);
    }

    @Test
    void settingsHaveDefaultsAndEveryKeyIsRead() {
        assertThat(RetryBudgetSettings.from(Settings.parse("{}"))).isEqualTo(RetryBudgetSettings.DEFAULTS);
        assertThat(RetryBudgetSettings.from(
                        Settings.parse("{\"capacity\": 50, \"cost\": 5, \"timeout-cost\": 7, \"per-success\": 0.5,"
                                + " \"per-second\": 2}")))
                .isEqualTo(new RetryBudgetSettings(50, 5, 7, 0.5, 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"capacity\": 0} | 'capacity' is 0 but must be between 1 and 1000000",
                "{\"cost\": 101} | 'cost' is 101 but must be between 1 and 'capacity'",
                "{\"timeout-cost\": 0} | 'timeout-cost' is 0 but must be between 1 and 'capacity'",
                "{\"per-success\": -1} | 'per-success' is -1.0 but must be between 0 and 1000000",
                "{\"per-secnd\": 1} | did you mean 'per-second'?"
            })
    void invalidValueIsRejectedByName(String section, String problem) {
        assertThatThrownBy(() -> RetryBudgetSettings.from(Settings.parse(section)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining(problem);
    }

    private void exhaust() {
        for (int i = 0; i < 10; i++) {
            assertThat(budget.tryAcquire(FailedAttempts.lost())).isTrue();
        }
    }

    /** How many attempts reach a server that fails for a minute, per call. */
    private double loadDuringOutage(RetryBudget paying) {
        return load(paying, FailedAttempts.lost());
    }

    private double load(RetryBudget paying, Failure failure) {
        var attempts = new AtomicInteger();
        for (int i = 0; i < CALLS; i++) {
            send(paying, failure, attempts);
            calls.time().advance(BETWEEN_CALLS);
        }
        calls.time().advance(Duration.ofMinutes(1));
        return attempts.get() / (double) CALLS;
    }

    private RecordingReply send(RetryBudget paying, Failure failure, AtomicInteger attempts) {
        var policy =
                new SafeRetryPolicy(BackoffSettings.SAFE, calls.environment().random());
        var rules = new RetryStage.Rules(
                each -> policy,
                call -> ToolHints.UNDECLARED,
                new RecoveryPolicy(true),
                paying,
                new AttemptLogger.OfSingleServer(calls.log(), System.Logger.Level.DEBUG));
        var handler = new Pipeline()
                .add(Position.RETRY, new RetryStage(rules, calls.environment()))
                .handler(
                        attempt -> {
                            attempts.incrementAndGet();
                            attempt.complete(Outcome.failed(failure));
                        },
                        calls.log());
        var reply = new RecordingReply();
        handler.handle(calls.of(Methods.RESOURCES_READ, "{\"uri\":\"a:b\"}"), reply);
        return reply;
    }
}
