package io.mcpbridge.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SystemTimekeeperTest {
    private final SystemTimekeeper timekeeper = new SystemTimekeeper();
    private final LinkedBlockingQueue<String> rung = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        timekeeper.close();
    }

    @Test
    void alarmsRunInTheOrderOfTheirMoments() throws Exception {
        ring("late", 60);
        ring("early", 20);
        ring("latest", 100);

        assertThat(next()).isEqualTo("early");
        assertThat(next()).isEqualTo("late");
        assertThat(next()).isEqualTo("latest");
    }

    @Test
    void earlierAlarmDoesNotWaitForALaterOne() throws Exception {
        timekeeper.schedule(Duration.ofHours(1), () -> rung.add("late"));
        ring("first", 1);
        assertThat(next()).isEqualTo("first");

        ring("second", 1);

        assertThat(next()).isEqualTo("second");
    }

    @Test
    void cancelledAlarmNeverRuns() throws Exception {
        var cancelled = timekeeper.schedule(Duration.ofMillis(20), () -> rung.add("cancelled"));
        ring("kept", 40);

        cancelled.cancel();
        cancelled.cancel();

        assertThat(next()).isEqualTo("kept");
    }

    @Test
    void alarmThatFailsLeavesTheOthersAlone() throws Exception {
        timekeeper.schedule(Duration.ZERO, () -> {
            throw new IllegalStateException("an alarm's defect");
        });
        timekeeper.schedule(Duration.ZERO, () -> {
            throw new AssertionError("a worse one");
        });
        ring("next", 1);

        assertThat(next()).isEqualTo("next");
    }

    @Test
    void nothingRunsAfterTheClose() throws Exception {
        var running = new CountDownLatch(1);
        timekeeper.schedule(Duration.ZERO, running::countDown);
        assertThat(running.await(10, TimeUnit.SECONDS)).isTrue();
        ring("before", 50);

        timekeeper.close();
        ring("after", 1);

        assertThat(rung.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void cancelledAlarmsDoNotPileUp() {
        var queue = new AlarmQueue();

        for (int i = 0; i < 100_000; i++) {
            queue.add(TimeUnit.HOURS.toNanos(1), () -> {}).cancel();
        }

        assertThat(queue.size()).isLessThan(3_000);
    }

    @Test
    void distantAlarmsKeepTheirOrder() throws Exception {
        timekeeper.schedule(Duration.ofNanos(Long.MAX_VALUE), () -> rung.add("never"));
        timekeeper.schedule(Duration.ofSeconds(Long.MAX_VALUE), () -> rung.add("never"));
        ring("now", 1);

        assertThat(next()).isEqualTo("now");
    }

    private void ring(String word, int millis) {
        timekeeper.schedule(Duration.ofMillis(millis), () -> rung.add(word));
    }

    private String next() throws InterruptedException {
        return rung.poll(10, TimeUnit.SECONDS);
    }
}
