package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.engine.upstream.connection.StartBackoff;
import io.mcpbridge.failure.ErrorCode;
import io.mcpbridge.failure.Failure;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Row E5 of the fault matrix: for how long a server that fails again and again is not started. */
class StartBackoffTest {
    private static final Failure CRASH = Failure.of(ErrorCode.PROVIDER_CRASHED, "exit code 3");

    private final FakeTimekeeper time = new FakeTimekeeper();

    private StartBackoff backoff(long seed) {
        return new StartBackoff(time, new Random(seed), Duration.ZERO);
    }

    private List<Duration> pauses(StartBackoff backoff, int failures) {
        return IntStream.range(0, failures)
                .mapToObj(unused -> {
                    backoff.failed(CRASH);
                    return backoff.pause();
                })
                .toList();
    }

    @Test
    @DisplayName("E5: each delay is twice the last, at most 30 s, and half of it is random")
    void delayDoublesWithJitter() {
        var longest = List.of(500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000);

        var pauses = pauses(backoff(1), longest.size());

        for (int i = 0; i < longest.size(); i++) {
            assertThat(pauses.get(i))
                    .isBetween(Duration.ofMillis(longest.get(i) / 2), Duration.ofMillis(longest.get(i)));
        }
    }

    @Test
    @DisplayName("E5: servers that fail at the same time have different delays")
    void serversThatFailTogetherHaveDifferentDelays() {
        assertThat(pauses(backoff(1), 5)).isNotEqualTo(pauses(backoff(2), 5));
    }

    @Test
    @DisplayName("E5: the rejection states how often the server failed, when it is tried again, and why")
    void rejectionStatesFailuresDelayAndCause() {
        var backoff = backoff(1);
        pauses(backoff, 3);

        assertThat(backoff.rejects()).isTrue();
        assertThat(backoff.rejection("one").message())
                .startsWith("server 'one' failed 3 time(s) in a row and may connect again in ")
                .endsWith("the last reason: exit code 3");

        time.advance(backoff.pause());
        assertThat(backoff.rejects()).isFalse();
    }

    @Test
    void serverThatCannotStartStaysAServerThatCannotStart() {
        var backoff = backoff(1);
        backoff.failed(Failure.of(ErrorCode.PROVIDER_INIT_FAILED, "no such program"));

        assertThat(backoff.rejection("one").code()).isEqualTo(ErrorCode.PROVIDER_INIT_FAILED);
        assertThat(backoff.rejection("one").retryable()).isFalse();
    }

    @Test
    void processStartsKeepAMinimumInterval() {
        var backoff = new StartBackoff(time, new Random(1), Duration.ofSeconds(1));
        assertThat(backoff.rejects()).isFalse();
        backoff.begun();
        time.advance(Duration.ofMillis(300));

        assertThat(backoff.pause()).isEqualTo(Duration.ofMillis(700));
        assertThat(backoff.rejection("one").message())
                .isEqualTo(
                        "server 'one' was started a moment ago and may connect again in 700 ms at the earliest; the last"
                                + " reason: none is known");

        time.advance(Duration.ofMillis(700));
        assertThat(backoff.rejects()).isFalse();
    }

    @Test
    void lossOfUsefulConnectionDelaysTheNext() {
        var backoff = backoff(1);
        pauses(backoff, 5);

        backoff.ended(CRASH, Duration.ofSeconds(1));

        assertThat(backoff.rejection("one").message())
                .isEqualTo(
                        "server 'one' was lost and may connect again in 1000 ms at the earliest; the last reason: exit"
                                + " code 3");
        time.advance(Duration.ofSeconds(1));
        assertThat(backoff.rejects()).isFalse();
        assertThat(pauses(backoff, 1).get(0)).isLessThanOrEqualTo(Duration.ofMillis(500));
    }

    @Test
    void successResetsTheDelay() {
        var backoff = backoff(1);
        pauses(backoff, 5);

        backoff.succeeded();

        assertThat(backoff.pause()).isZero();
        assertThat(pauses(backoff, 1).get(0)).isLessThanOrEqualTo(Duration.ofMillis(500));
    }
}
