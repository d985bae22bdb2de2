package io.mcpbridge.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.SystemTimekeeper.AlarmQueue;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SystemTimekeeperTest {
    private final SystemTimekeeper timekeeper = new SystemTimekeeper();
    private final LinkedBlockingQueue<String> rung = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        timekeeper.close();
    }

    @Test
    void alarmsRunInTheOrderOfTheirTimes() throws Exception {
        ring("late", 1_000);
        ring("early", 20);
        ring("latest", 1_001);

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
        var free = holdAlarms();
        var cancelled = timekeeper.schedule(Duration.ofMillis(1), () -> rung.add("cancelled"));
        ring("kept", 2);

        cancelled.cancel();
        cancelled.cancel();
        free.countDown();

        assertThat(next()).isEqualTo("kept");
    }

    @Test
    void failingAlarmDoesNotAffectOthers() throws Exception {
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
        var free = holdAlarms();
        ring("before", 1);

        timekeeper.close();
        ring("after", 1);
        free.countDown();

        assertThat(rung.poll(100, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void alarmCancelledByAnotherAtTheSameTimeDoesNotRun() throws Exception {
        var free = holdAlarms();
        var alarms = new CopyOnWriteArrayList<Timekeeper.Alarm>();
        timekeeper.schedule(Duration.ofMillis(1), () -> alarms.forEach(Timekeeper.Alarm::cancel));
        alarms.add(timekeeper.schedule(Duration.ofMillis(1), () -> rung.add("cancelled")));
        ring("kept", 2);
        free.countDown();

        assertThat(next()).isEqualTo("kept");
    }

    @Test
    void noAlarmIsEarlyOrLost() throws Exception {
        var random = new Random(1);
        var early = new AtomicInteger();
        for (int i = 0; i < 20_000; i++) {
            var delay = Duration.ofNanos(random.nextInt(200_000_000));
            var at = System.nanoTime() + delay.toNanos();
            timekeeper.schedule(delay, () -> {
                early.addAndGet(System.nanoTime() < at ? 1 : 0);
                rung.add("one");
            });
            // Later, since one that is due at once may run before the test can cancel it.
            timekeeper
                    .schedule(delay.plusSeconds(10), () -> rung.add("cancelled"))
                    .cancel();
        }

        for (int i = 0; i < 20_000; i++) {
            assertThat(next()).isEqualTo("one");
        }
        assertThat(early).hasValue(0);
    }

    @Test
    void alarmsOfManyThreadsAllRun() throws Exception {
        var threads = Stream.generate(() -> new Thread(() -> {
                    for (int i = 0; i < 5_000; i++) {
                        var far = timekeeper.schedule(Duration.ofMinutes(1), () -> rung.add("far"));
                        ring("near", i % 20);
                        far.cancel();
                    }
                }))
                .limit(4)
                .toList();

        threads.forEach(Thread::start);

        for (int i = 0; i < 20_000; i++) {
            assertThat(next()).isEqualTo("near");
        }
        for (var thread : threads) {
            thread.join();
        }
    }

    @Test
    void cancelledAlarmsAreRemovedAtOnce() {
        var queue = new AlarmQueue();
        queue.add(TimeUnit.HOURS.toNanos(1), () -> {});

        for (int i = 0; i < 100_000; i++) {
            queue.add(TimeUnit.HOURS.toNanos(1), () -> {}).cancel();
        }

        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void distantAlarmsKeepTheirOrder() throws Exception {
        timekeeper.schedule(Duration.ofNanos(Long.MAX_VALUE), () -> rung.add("never"));
        timekeeper.schedule(Duration.ofSeconds(Long.MAX_VALUE), () -> rung.add("never"));
        ring("now", 1);

        assertThat(next()).isEqualTo("now");
    }

    /** Lets no other alarm run until the latch is open. */
    private CountDownLatch holdAlarms() throws InterruptedException {
        var running = new CountDownLatch(1);
        var free = new CountDownLatch(1);
        timekeeper.schedule(Duration.ZERO, () -> {
            running.countDown();
            awaitOpen(free);
        });
        assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
        return free;
    }

    private static void awaitOpen(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private void ring(String word, int millis) {
        timekeeper.schedule(Duration.ofMillis(millis), () -> rung.add(word));
    }

    private String next() throws InterruptedException {
        return rung.poll(30, TimeUnit.SECONDS);
    }
}
