package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.testkit.FakeTimekeeper;
import io.mcpbridge.upstream.health.Latencies;
import io.mcpbridge.upstream.health.Latency;
import java.time.Duration;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** How long a server took lately, to an eighth. */
class LatenciesTest {
    private static final Percentage AN_EIGHTH = Percentage.withPercentage(12.5);

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final Latencies latencies = new Latencies(time);

    @Test
    void nothingIsKnownBeforeTheFirstAnswer() {
        assertThat(latencies.read()).isEqualTo(Latency.NONE);
    }

    @Test
    void sharesAreThoseOfTheAnswers() {
        for (int i = 1; i <= 1_000; i++) {
            record(Duration.ofMillis(i));
        }

        var read = latencies.read();

        assertThat(read.calls()).isEqualTo(1_000);
        assertThat(read.half().toMillis()).isCloseTo(500, AN_EIGHTH);
        assertThat(read.most().toMillis()).isCloseTo(950, AN_EIGHTH);
        assertThat(read.nearlyAll().toMillis()).isCloseTo(990, AN_EIGHTH);
    }

    @Test
    void shortestAndLongestSpansHaveTheirPlaces() {
        record(Duration.ofNanos(1));
        record(Duration.ofDays(365));

        assertThat(latencies.read().half()).isLessThan(Duration.ofNanos(3));
        assertThat(latencies.read().nearlyAll().toDays()).isCloseTo(365, AN_EIGHTH);
    }

    @Test
    void whatIsOlderThanFiveMinutesIsForgotten() {
        record(Duration.ofMillis(5));
        time.advance(Duration.ofMinutes(4));
        record(Duration.ofMillis(7));
        assertThat(latencies.read().calls()).isEqualTo(2);

        time.advance(Duration.ofMinutes(1));
        assertThat(latencies.read().calls()).isEqualTo(1);

        time.advance(Duration.ofHours(1));
        assertThat(latencies.read()).isEqualTo(Latency.NONE);
    }

    private void record(Duration span) {
        var now = time.nanoTime();
        latencies.record(now - span.toNanos(), now);
    }
}
