package io.mcpbridge.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Deadline;
import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class FakeTimekeeperTest {
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final ArrayList<String> ran = new ArrayList<>();

    @Test
    void timeDoesNotAdvanceByItself() {
        var before = time.nanoTime();

        assertThat(time.nanoTime()).isEqualTo(before);
    }

    @Test
    void alarmsRunInTheOrderOfTheirTimes() {
        time.schedule(Duration.ofMillis(20), () -> ran.add("second"));
        time.schedule(Duration.ofMillis(10), () -> ran.add("first"));
        time.schedule(Duration.ofMillis(31), () -> ran.add("too late"));

        time.advance(Duration.ofMillis(30));

        assertThat(ran).containsExactly("first", "second");
        assertThat(time.untilNextAlarm()).contains(Duration.ofMillis(1));
    }

    @Test
    void alarmSeesTheClockAtItsTime() {
        var begin = time.nanoTime();
        time.schedule(Duration.ofMillis(10), () -> ran.add(String.valueOf(time.nanoTime() - begin)));

        time.advance(Duration.ofSeconds(1));

        assertThat(ran).containsExactly("10000000");
        assertThat(time.nanoTime() - begin).isEqualTo(1_000_000_000);
    }

    @Test
    void alarmScheduledByAnAlarmRunsInTheSameAdvance() {
        time.schedule(Duration.ofMillis(10), () -> time.schedule(Duration.ofMillis(10), () -> ran.add("inner")));

        time.advance(Duration.ofMillis(20));

        assertThat(ran).containsExactly("inner");
    }

    @Test
    void cancelledAlarmDoesNotRun() {
        time.schedule(Duration.ofMillis(10), () -> ran.add("cancelled")).cancel();

        time.advance(Duration.ofSeconds(1));

        assertThat(ran).isEmpty();
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void wallClockShiftDoesNotAffectDeadlines() {
        var deadline = Deadline.after(Duration.ofSeconds(30), time);
        var before = time.now();

        time.shiftWallClock(Duration.ofDays(-1));

        assertThat(time.now()).isEqualTo(before.minus(Duration.ofDays(1)));
        assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(30));
    }
}
