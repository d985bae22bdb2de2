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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contract tests for every {@link RetryPolicy}. */
@Contract
public abstract class RetryPolicyContract {
    private static final ToolHints DESTRUCTIVE = new ToolHints(false, true, false, true, ToolHints.Source.TRUSTED);
    private static final ToolHints READ_ONLY = new ToolHints(true, false, true, false, ToolHints.Source.TRUSTED);
    private static final Duration TIME_LEFT = Duration.ofMinutes(5);

    /** Creates a policy with default settings and {@code random} as its only source of randomness. */
    protected abstract RetryPolicy policy(RandomGenerator random);

    @Test
    void decideDoesNotWait() {
        var attempts = table();

        assertThat(decide(policy(new SplittableRandom(1)), attempts)).hasSameSizeAs(attempts);
    }

    @Test
    void pauseIsNotNegative() {
        pauses(table())
                .forEach((attempt, pause) -> assertThat(pause).as("%s", attempt).isGreaterThanOrEqualTo(Duration.ZERO));
    }

    @Test
    void refusalToRepeatHasAReason() {
        decide(policy(new SplittableRandom(1)), table()).forEach((attempt, decision) -> {
            if (decision instanceof Decision.Stop stop) {
                assertThat(stop.reason()).as("%s", attempt).isNotBlank();
            } else if (decision instanceof Decision.InDoubt doubt) {
                assertThat(doubt.reason()).as("%s", attempt).isNotBlank();
            }
        });
    }

    @Test
    void sameAttemptAndRandomnessGiveTheSameDecision() {
        var attempts = table();

        var one = decide(policy(new SplittableRandom(7)), attempts);
        var other = decide(policy(new SplittableRandom(7)), attempts);

        assertThat(one).isEqualTo(other);
    }

    @Test
    void decisionDoesNotDependOnEarlierOnes() {
        var attempts = table();
        var asked = policy(new SplittableRandom(7));

        var fresh = decide(asked, attempts);

        decide(asked, attempts)
                .forEach((attempt, decision) ->
                        assertThat(decision).as("%s", attempt).hasSameClassAs(fresh.get(attempt)));
    }

    @Test
    void maxAttemptsIsPositive() {
        assertThat(policy(new SplittableRandom(1)).maxAttempts()).isPositive();
    }

    @Test
    void retryAfterIsTheShortestPause() {
        var wait = Duration.ofSeconds(90);
        var attempts = table().stream()
                .map(attempt -> attempt(attempt.number(), attempt.failure().withRetryAfter(wait), attempt.hints()))
                .toList();

        pauses(attempts)
                .forEach((attempt, pause) -> assertThat(pause).as("%s", attempt).isGreaterThanOrEqualTo(wait));
    }

    @ParameterizedTest(name = "{0}")
    @ValueSource(ints = {-32600, -32601, -32602})
    void invalidRequestIsNotRepeated(int code) {
        var failure = Failure.of(ErrorCode.SERVER_ERROR, "wrong")
                .withDelivery(Delivery.ANSWERED)
                .withServerError(new ServerError(code, "wrong", ""));

        assertThat(decide(attempt(1, failure, READ_ONLY))).isInstanceOf(Decision.Stop.class);
    }

    /** The bridge itself rejects the call; a repeat would only add to its load. */
    @ParameterizedTest(name = "{0}")
    @EnumSource(
            value = ErrorCode.class,
            names = {"OVERLOADED", "AUDIT_UNAVAILABLE", "TOOL_NOT_ADMITTED", "SHUTTING_DOWN", "CANCELLED"})
    void rejectionByTheBridgeIsNotRepeated(ErrorCode code) {
        for (var delivery : Delivery.values()) {
            var failure = Failure.of(code, "rejected").withDelivery(delivery);

            assertThat(decide(attempt(1, failure, READ_ONLY))).isNotInstanceOf(Decision.Retry.class);
        }
    }

    @Test
    void destructiveToolThatMayHaveRunIsNotRepeated() {
        var failure = Failure.of(ErrorCode.PROVIDER_UNAVAILABLE, "reset").withDelivery(Delivery.UNKNOWN);

        assertThat(decide(attempt(1, failure, DESTRUCTIVE))).isNotInstanceOf(Decision.Retry.class);
    }

    @Test
    void onlyACallThatMayHaveRunIsInDoubt() {
        decide(policy(new SplittableRandom(1)), table()).forEach((attempt, decision) -> {
            if (decision instanceof Decision.InDoubt) {
                assertThat(attempt.failure().delivery()).isEqualTo(Delivery.UNKNOWN);
            }
        });
    }

    @Test
    void lastAttemptIsNotFollowedByAnother() {
        int last = policy(new SplittableRandom(1)).maxAttempts();
        var failed = table().stream()
                .map(attempt -> attempt(last, attempt.failure(), attempt.hints()))
                .toList();

        assertThat(pauses(failed)).isEmpty();
    }

    @Test
    void pauseEndsWhileTheCallerStillWaits() {
        var timeLeft = Duration.ofMillis(20);
        var hasty = table().stream()
                .map(each -> new Attempt(each.number(), each.method(), each.failure(), each.hints(), timeLeft))
                .toList();

        pauses(hasty)
                .forEach((attempt, pause) -> assertThat(pause).as("%s", attempt).isLessThan(timeLeft));
    }

    @Test
    void cancelledCallIsNotRepeated() {
        var failure = Failure.of(ErrorCode.CANCELLED, "cancelled by the client");

        assertThat(decide(attempt(1, failure, READ_ONLY))).isInstanceOf(Decision.Stop.class);
    }

    private Decision decide(Attempt attempt) {
        return Objects.requireNonNull(
                decide(policy(new SplittableRandom(1)), List.of(attempt)).get(attempt));
    }

    /** Returns the pauses before the attempts that the policy repeats. */
    private Map<Attempt, Duration> pauses(List<Attempt> attempts) {
        var pauses = new LinkedHashMap<Attempt, Duration>();
        decide(policy(new SplittableRandom(1)), attempts).forEach((attempt, decision) -> {
            if (decision instanceof Decision.Retry retry) {
                pauses.put(attempt, retry.delay());
            }
        });
        return pauses;
    }

    /** Returns the decisions, and fails as soon as the policy waits instead of returning the pause. */
    private static Map<Attempt, Decision> decide(RetryPolicy policy, List<Attempt> attempts) {
        var decisions = new ConcurrentHashMap<Attempt, Decision>();
        var waited = WaitDetector.waits(
                () -> attempts.forEach(attempt -> decisions.put(attempt, policy.decide(attempt))), Duration.ZERO);
        assertThat(waited)
                .as("'decide' waits: return the pause in a Retry, for which the bridge waits")
                .isFalse();
        return decisions;
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
