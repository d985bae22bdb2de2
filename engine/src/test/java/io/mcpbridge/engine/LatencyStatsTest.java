package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.engine.upstream.connection.LatencyStats;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** How long a server took lately, to an eighth. */
class LatencyStatsTest {
    private static final Percentage AN_EIGHTH = Percentage.withPercentage(12.5);

    private final FakeTimekeeper time = new FakeTimekeeper();
    private final LatencyStats latencies = new LatencyStats(time);

    @Test
    void emptyStatsHaveNoPercentiles() {
        assertThat(latencies.snapshot()).isEqualTo(LatencyStats.Snapshot.NONE);
    }

    @Test
    void percentilesMatchTheRecordedLatencies() {
        for (int i = 1; i <= 1_000; i++) {
            record(Duration.ofMillis(i));
        }

        var read = latencies.snapshot();

        assertThat(read.calls()).isEqualTo(1_000);
        assertThat(read.p50().toMillis()).isCloseTo(500, AN_EIGHTH);
        assertThat(read.p95().toMillis()).isCloseTo(950, AN_EIGHTH);
        assertThat(read.p99().toMillis()).isCloseTo(990, AN_EIGHTH);
    }

    @Test
    void extremeLatenciesAreRecorded() {
        record(Duration.ofNanos(1));
        record(Duration.ofDays(365));

        assertThat(latencies.snapshot().p50()).isLessThan(Duration.ofNanos(3));
        assertThat(latencies.snapshot().p99().toDays()).isCloseTo(365, AN_EIGHTH);
    }

    @Test
    void latenciesOlderThanFiveMinutesAreDropped() {
        record(Duration.ofMillis(5));
        time.advance(Duration.ofMinutes(4));
        record(Duration.ofMillis(7));
        assertThat(latencies.snapshot().calls()).isEqualTo(2);

        time.advance(Duration.ofMinutes(1));
        assertThat(latencies.snapshot().calls()).isEqualTo(1);

        time.advance(Duration.ofHours(1));
        assertThat(latencies.snapshot()).isEqualTo(LatencyStats.Snapshot.NONE);
    }

    private void record(Duration span) {
        var now = time.nanoTime();
        latencies.record(now - span.toNanos(), now);
    }
}
