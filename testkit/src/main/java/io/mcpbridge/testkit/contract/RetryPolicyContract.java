package io.mcpbridge.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.failure.Failure.ServerError;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.RetryPolicy;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.tool.ToolHints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract tests for every {@link RetryPolicy}. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
public abstract class RetryPolicyContract {
    private static final ToolHints DESTRUCTIVE = new ToolHints(false, true, false, true, ToolHints.Source.TRUSTED);
    private static final ToolHints READ_ONLY = new ToolHints(true, false, true, false, ToolHints.Source.TRUSTED);
    private static final Duration TIME_LEFT = Duration.ofMinutes(5);

    /** Creates a policy with default settings and {@code random} as its only source of randomness. */
    protected abstract RetryPolicy policy(RandomGenerator random);

    @Test
    void pauseIsNeverShorterThanNothing() {
        var policy = policy(new SplittableRandom(1));

        for (var attempt : table()) {
            if (policy.decide(attempt) instanceof Decision.Retry retry) {
                assertThat(retry.delay()).as("%s", attempt).isGreaterThanOrEqualTo(Duration.ZERO);
            }
        }
    }

    @Test
    void refusalToRepeatHasAReason() {
        var policy = policy(new SplittableRandom(1));

        for (var attempt : table()) {
            var decision = policy.decide(attempt);
            if (decision instanceof Decision.Stop stop) {
                assertThat(stop.reason()).as("%s", attempt).isNotBlank();
            } else if (decision instanceof Decision.InDoubt doubt) {
                assertThat(doubt.reason()).as("%s", attempt).isNotBlank();
            }
        }
    }

    @Test
    void sameAttemptAndRandomnessGiveTheSameDecision() {
        var one = policy(new SplittableRandom(7));
        var other = policy(new SplittableRandom(7));

        for (var attempt : table()) {
            assertThat(one.decide(attempt)).as("%s", attempt).isEqualTo(other.decide(attempt));
        }
    }

    @Test
    void whetherToRepeatDoesNotDependOnWhatWasAskedBefore() {
        var asked = policy(new SplittableRandom(7));
        table().forEach(asked::decide);

        for (var attempt : table()) {
            var fresh = policy(new SplittableRandom(7)).decide(attempt);
            assertThat(asked.decide(attempt)).as("%s", attempt).hasSameClassAs(fresh);
        }
    }

    @Test
    void callIsTriedOnceAtLeast() {
        assertThat(policy(new SplittableRandom(1)).maxAttempts()).isPositive();
    }

    @Test
    void waitThatTheServerAskedForIsTheShortestPause() {
        var wait = Duration.ofSeconds(90);
        var policy = policy(new SplittableRandom(1));

        for (var attempt : table()) {
            var told = new Attempt(
                    attempt.number(),
                    attempt.method(),
                    attempt.failure().withRetryAfter(wait),
                    attempt.hints(),
                    TIME_LEFT);
            if (policy.decide(told) instanceof Decision.Retry retry) {
                assertThat(retry.delay()).as("%s", told).isGreaterThanOrEqualTo(wait);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {-32600, -32601, -32602})
    void requestThatTheServerCalledWrongIsNotRepeated(int code) {
        var failure = Failure.of(ErrorCode.SERVER_ERROR, "wrong")
                .withDelivery(Delivery.ANSWERED)
                .withServerError(new ServerError(code, "wrong", ""));

        var decision = policy(new SplittableRandom(1)).decide(attempt(1, failure, READ_ONLY));

        assertThat(decision).isInstanceOf(Decision.Stop.class);
    }

    @Test
    void destructiveToolThatMayHaveRunIsNotRepeated() {
        var failure = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "reset").withDelivery(Delivery.UNKNOWN);

        var decision = policy(new SplittableRandom(1)).decide(attempt(1, failure, DESTRUCTIVE));

        assertThat(decision).isNotInstanceOf(Decision.Retry.class);
    }

    @Test
    void onlyACallThatMayHaveRunIsInDoubt() {
        var policy = policy(new SplittableRandom(1));

        for (var attempt : table()) {
            if (policy.decide(attempt) instanceof Decision.InDoubt) {
                assertThat(attempt.failure().delivery()).isEqualTo(Delivery.UNKNOWN);
            }
        }
    }

    @Test
    void lastAttemptIsNotFollowedByAnother() {
        var policy = policy(new SplittableRandom(1));
        int last = policy.maxAttempts();

        for (var attempt : table()) {
            var failed = attempt(last, attempt.failure(), attempt.hints());
            assertThat(policy.decide(failed)).as("%s", failed).isNotInstanceOf(Decision.Retry.class);
        }
    }

    @Test
    void pauseEndsWhileTheCallerStillWaits() {
        var timeLeft = Duration.ofMillis(20);
        var policy = policy(new SplittableRandom(1));

        for (var attempt : table()) {
            var hasty = new Attempt(attempt.number(), attempt.method(), attempt.failure(), attempt.hints(), timeLeft);
            if (policy.decide(hasty) instanceof Decision.Retry retry) {
                assertThat(retry.delay()).as("%s", hasty).isLessThan(timeLeft);
            }
        }
    }

    @Test
    void cancelledCallIsNotRepeated() {
        var failure = Failure.of(ErrorCode.CANCELLED, "cancelled by the client");

        var decision = policy(new SplittableRandom(1)).decide(attempt(1, failure, READ_ONLY));

        assertThat(decision).isInstanceOf(Decision.Stop.class);
    }

    private static List<Attempt> table() {
        var table = new ArrayList<Attempt>();
        for (var code : ErrorCode.values()) {
            for (var delivery : Delivery.values()) {
                for (int number = 1; number <= 3; number++) {
                    var failure =
                            Failure.of(code, "failed").withDelivery(delivery).withAttempts(number);
                    table.add(attempt(number, failure, DESTRUCTIVE));
                    table.add(attempt(number, failure, READ_ONLY));
                    table.add(attempt(number, failure, ToolHints.UNDECLARED));
                }
            }
        }
        return table;
    }

    private static Attempt attempt(int number, Failure failure, ToolHints hints) {
        return new Attempt(number, Methods.TOOLS_CALL, failure, hints, TIME_LEFT);
    }
}
