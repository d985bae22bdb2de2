package io.mcpbridge.retry;

import static io.mcpbridge.retry.FailedAttempts.answered;
import static io.mcpbridge.retry.FailedAttempts.first;
import static io.mcpbridge.retry.FailedAttempts.keyed;
import static io.mcpbridge.retry.FailedAttempts.lost;
import static io.mcpbridge.retry.FailedAttempts.notSent;
import static io.mcpbridge.retry.FailedAttempts.numbered;
import static io.mcpbridge.retry.FailedAttempts.status;
import static io.mcpbridge.retry.FailedAttempts.timedOut;
import static io.mcpbridge.retry.FailedAttempts.withHints;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Named.named;

import io.mcpbridge.failure.Delivery;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.message.Methods;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.tool.ToolHints;
import io.mcpbridge.tool.ToolHints.Source;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafeRetryPolicyTest {
    private static final ToolHints READ_ONLY = new ToolHints(true, false, false, false, Source.TRUSTED);
    private static final ToolHints IDEMPOTENT = new ToolHints(false, true, true, true, Source.TRUSTED);

    private final SafeRetryPolicy policy = new SafeRetryPolicy(BackoffSettings.SAFE, new SplittableRandom(1));

    @Test
    void unsentCallIsRetried() {
        assertRetries(first(notSent()));
        assertRetries(numbered(2, first(notSent())));
    }

    @Test
    void openBreakerIsWaitedForOnlyBriefly() {
        assertRetries(first(notSent().withBreakerOpen(Duration.ofSeconds(2))));
        assertStops(first(notSent().withBreakerOpen(Duration.ofMillis(2001))));
    }

    @Test
    void throttledCallIsRetried() {
        assertRetries(first(status(429, Delivery.REJECTED)));
        assertRetries(numbered(2, first(status(429, Delivery.REJECTED))));
    }

    @Test
    void rejectedCallIsRetriedOnce() {
        var lostSession = status(404, Delivery.REJECTED).withRetryable(true);

        assertRetries(first(lostSession));
        assertStops(numbered(2, first(lostSession)));
    }

    static Stream<Named<Failure>> failuresThatMayHaveRun() {
        return Stream.of(
                named("timeout", timedOut()),
                named("connection reset", lost()),
                named(
                        "child ended",
                        Failure.of(ErrorCode.PROVIDER_CRASHED, "exit 1").withDelivery(Delivery.UNKNOWN)),
                named("HTTP 500", status(500, Delivery.UNKNOWN)),
                named(
                        "HTTP 503 with Retry-After",
                        status(503, Delivery.UNKNOWN).withRetryAfter(Duration.ofSeconds(1))));
    }

    @ParameterizedTest
    @MethodSource("failuresThatMayHaveRun")
    void callThatMayHaveRunIsInDoubt(Failure failure) {
        assertThat(policy.decide(first(failure))).isInstanceOf(Decision.InDoubt.class);
    }

    @ParameterizedTest
    @MethodSource("failuresThatMayHaveRun")
    void callThatMayHaveRunIsRetriedIfTrustedHintsAllow(Failure failure) {
        assertRetries(withHints(READ_ONLY, first(failure)));
        assertRetries(withHints(IDEMPOTENT, numbered(2, first(failure))));
    }

    @ParameterizedTest
    @MethodSource("failuresThatMayHaveRun")
    void hintsOfAnUntrustedServerAreIgnored(Failure failure) {
        var said = new ToolHints(true, false, true, false, Source.SERVER);

        assertThat(policy.decide(withHints(said, first(failure)))).isInstanceOf(Decision.InDoubt.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {-32603, -32001, -32000})
    void serverErrorIsRetriedOnceIfTrustedHintsAllow(int code) {
        assertStops(first(answered(code)));
        assertRetries(withHints(READ_ONLY, first(answered(code))));
        assertStops(withHints(READ_ONLY, numbered(2, first(answered(code)))));
    }

    @ParameterizedTest
    @ValueSource(ints = {-32700, -32600, -32601, -32602, -32021, -32042})
    void permanentErrorIsNotRetried(int code) {
        assertStops(withHints(READ_ONLY, first(answered(code))));
    }

    @ParameterizedTest
    @ValueSource(ints = {400, 401, 403, 404, 408})
    void permanentStatusIsNotRetried(int code) {
        assertStops(withHints(READ_ONLY, first(status(code, Delivery.REJECTED))));
    }

    @ParameterizedTest
    @ValueSource(strings = {Methods.TOOLS_LIST, Methods.RESOURCES_READ, Methods.PROMPTS_GET, Methods.PING})
    void readOnlyRequestsThatMayHaveRunAreRetried(String method) {
        assertRetries(new Attempt(1, method, timedOut(), ToolHints.UNDECLARED, Duration.ofHours(1)));
    }

    @ParameterizedTest
    @CsvSource({"1, 100", "2, 200"})
    void delaysHaveFullJitter(int attempt, long bound) {
        var millis = IntStream.range(0, 1_000)
                .mapToLong(i -> delay(numbered(attempt, first(notSent()))).toMillis())
                .summaryStatistics();

        assertThat(millis.getMin()).isBetween(0L, bound / 20);
        assertThat(millis.getMax()).isBetween(bound * 19 / 20, bound);
        assertThat(millis.getAverage()).isBetween(bound * 0.4, bound * 0.6);
    }

    @Test
    void callWithAnAgreedKeyIsRetried() {
        assertRetries(keyed(first(lost())));
        assertRetries(keyed(first(timedOut())));
        assertThat(policy.decide(first(lost()))).isInstanceOf(Decision.InDoubt.class);
    }

    @Test
    void answeredCallIsNotRetriedByItsKey() {
        assertStops(keyed(first(answered(-32603))));
    }

    @Test
    void delaysOfThrottledCallsAreAtMostOneSecond() {
        var longest = IntStream.range(0, 1_000)
                .mapToLong(i -> delay(first(status(429, Delivery.REJECTED))).toMillis())
                .max()
                .orElseThrow();

        assertThat(longest).isBetween(900L, 1_000L);
    }

    @Test
    void retryAfterIsTheMinimumDelay() {
        var asked = Duration.ofSeconds(60);

        assertThat(delay(first(status(429, Delivery.REJECTED).withRetryAfter(asked))))
                .isEqualTo(asked);
    }

    @Test
    void retryAfterOfMoreThanAMinuteStopsTheRetries() {
        var failure = status(429, Delivery.REJECTED).withRetryAfter(Duration.ofSeconds(61));

        assertThat(policy.decide(first(failure))).isEqualTo(new Decision.Stop("the server asks to wait 61 s"));
    }

    private Duration delay(Attempt failed) {
        return ((Decision.Retry) policy.decide(failed)).delay();
    }

    private void assertRetries(Attempt failed) {
        assertThat(policy.decide(failed)).isInstanceOf(Decision.Retry.class);
    }

    private void assertStops(Attempt failed) {
        assertThat(policy.decide(failed)).isInstanceOf(Decision.Stop.class);
    }
}
