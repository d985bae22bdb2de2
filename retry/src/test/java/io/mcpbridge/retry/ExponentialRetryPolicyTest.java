package io.mcpbridge.retry;

import static io.mcpbridge.retry.FailedAttempts.answered;
import static io.mcpbridge.retry.FailedAttempts.first;
import static io.mcpbridge.retry.FailedAttempts.keyed;
import static io.mcpbridge.retry.FailedAttempts.lost;
import static io.mcpbridge.retry.FailedAttempts.notSent;
import static io.mcpbridge.retry.FailedAttempts.numbered;
import static io.mcpbridge.retry.FailedAttempts.remaining;
import static io.mcpbridge.retry.FailedAttempts.status;
import static io.mcpbridge.retry.FailedAttempts.timedOut;
import static io.mcpbridge.retry.FailedAttempts.withHints;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.tool.ToolHints.Source;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ExponentialRetryPolicyTest {
    private final ExponentialRetryPolicy policy = new ExponentialRetryPolicy(BackoffSettings.EXPONENTIAL);

    static Stream<Named<Failure>> recoverableFailures() {
        return Stream.of(
                named("-32603 internal error", answered(-32603)),
                named("-32001 timed out at the server", answered(-32001)),
                named("-32000 server error", answered(-32000)),
                named("timeout", timedOut()),
                named("connection refused", notSent()),
                named("connection reset", lost()),
                named("child ended", Failure.of(ErrorCode.PROVIDER_CRASHED, "exit 1")),
                named("HTTP 500", status(500, Delivery.UNKNOWN)),
                named("HTTP 503", status(503, Delivery.UNKNOWN)),
                named("HTTP 429", status(429, Delivery.REJECTED)));
    }

    @ParameterizedTest
    @DisplayName("A6: recoverable failures are retried")
    @MethodSource("recoverableFailures")
    void recoverableFailureIsRetriedAfterOneSecond(Failure failure) {
        assertThat(policy.decide(first(failure))).isEqualTo(new Decision.Retry(Duration.ofSeconds(1)));
    }

    static Stream<Named<Failure>> permanentFailures() {
        return Stream.of(
                named("-32600 invalid request", answered(-32600)),
                named("-32601 method not found", answered(-32601)),
                named("-32602 invalid params", answered(-32602)),
                named("-32700 parse error", answered(-32700)),
                named("-32002 resource not found", answered(-32002)),
                named("-32022 unsupported version", answered(-32022)),
                named("HTTP 400", status(400, Delivery.UNKNOWN)),
                named("HTTP 401", status(401, Delivery.REJECTED)),
                named("HTTP 403", status(403, Delivery.REJECTED)),
                named("HTTP 404", status(404, Delivery.REJECTED)),
                named("HTTP 408", status(408, Delivery.UNKNOWN)),
                named("broken protocol", Failure.of(ErrorCode.UPSTREAM_INVALID, "no JSON")),
                named("handshake refused", Failure.of(ErrorCode.PROVIDER_INIT_FAILED, "version")),
                named("closed by its user", notSent().withRetryable(false)),
                named("a limit of ours", Failure.of(ErrorCode.OVERLOADED, "1024 calls")),
                named("draining", Failure.of(ErrorCode.SHUTTING_DOWN, "drain")));
    }

    @ParameterizedTest
    @DisplayName("A6: permanent failures are not retried")
    @MethodSource("permanentFailures")
    void permanentFailureIsNotRetried(Failure failure) {
        assertThat(policy.decide(first(failure))).isInstanceOf(Decision.Stop.class);
    }

    @ParameterizedTest
    @DisplayName("A5: delays double")
    @CsvSource({"1, 1000", "2, 2000", "3, 4000", "10, 512000"})
    void delaysDouble(int attempt, long millis) {
        var patient = new ExponentialRetryPolicy(new BackoffSettings(100, BackoffSettings.EXPONENTIAL.delay()));

        var decision = patient.decide(numbered(attempt, first(notSent())));

        assertThat(decision).isEqualTo(new Decision.Retry(Duration.ofMillis(millis)));
    }

    @Test
    @DisplayName("A5: there are 3 attempts by default")
    void thirdAttemptIsTheLast() {
        assertThat(policy.decide(numbered(2, first(notSent())))).isInstanceOf(Decision.Retry.class);
        assertThat(policy.decide(numbered(3, first(notSent()))))
                .isEqualTo(new Decision.Stop("all 3 attempts are used"));
    }

    @Test
    void retryAfterIsTheMinimumDelay() {
        var soon = notSent().withRetryAfter(Duration.ofMillis(10));
        var late = notSent().withRetryAfter(Duration.ofSeconds(70));

        assertThat(policy.decide(first(soon))).isEqualTo(new Decision.Retry(Duration.ofSeconds(1)));
        assertThat(policy.decide(first(late))).isEqualTo(new Decision.Retry(Duration.ofSeconds(70)));
    }

    @Test
    void callWithAnAgreedKeyIsRetriedWhateverItsAnnotations() {
        var destructive = new ToolHints(false, true, false, true, Source.SERVER);

        assertThat(policy.decide(keyed(withHints(destructive, first(lost()))))).isInstanceOf(Decision.Retry.class);
    }

    @Test
    void retryAfterTheDeadlineIsNotScheduled() {
        var failed = remaining(Duration.ofMillis(900), first(notSent()));

        assertThat(policy.decide(failed))
                .isEqualTo(
                        new Decision.Stop("the next attempt is due in 1000 ms, but the caller waits only 900 ms more"));
    }

    static Stream<Named<ToolHints>> nonRepeatableHints() {
        return Stream.of(
                named("destructive", new ToolHints(false, true, false, true, Source.SERVER)),
                named("adding, but not idempotent", new ToolHints(false, false, false, true, Source.SERVER)),
                named("trusted and destructive", new ToolHints(false, true, false, true, Source.TRUSTED)));
    }

    @ParameterizedTest
    @MethodSource("nonRepeatableHints")
    void toolDeclaredNotIdempotentIsInDoubt(ToolHints hints) {
        assertThat(policy.decide(withHints(hints, first(timedOut())))).isInstanceOf(Decision.InDoubt.class);
        assertThat(policy.decide(withHints(hints, numbered(3, first(lost()))))).isInstanceOf(Decision.InDoubt.class);
    }

    @ParameterizedTest
    @MethodSource("nonRepeatableHints")
    void toolDeclaredNotIdempotentIsRetriedIfItDidNotRun(ToolHints hints) {
        assertThat(policy.decide(withHints(hints, first(notSent())))).isInstanceOf(Decision.Retry.class);
        assertThat(policy.decide(withHints(hints, first(status(429, Delivery.REJECTED)))))
                .isInstanceOf(Decision.Retry.class);
        assertThat(policy.decide(withHints(hints, first(answered(-32603))))).isInstanceOf(Decision.Retry.class);
    }

    static Stream<Named<ToolHints>> repeatableHints() {
        return Stream.of(
                named("nothing declared", ToolHints.UNDECLARED),
                named("read-only", new ToolHints(true, true, false, true, Source.SERVER)),
                named("idempotent", new ToolHints(false, true, true, true, Source.SERVER)));
    }

    @ParameterizedTest
    @MethodSource("repeatableHints")
    void otherToolThatMayHaveRunIsRetried(ToolHints hints) {
        assertThat(policy.decide(withHints(hints, first(timedOut())))).isInstanceOf(Decision.Retry.class);
    }
}
