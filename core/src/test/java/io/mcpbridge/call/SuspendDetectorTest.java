package io.mcpbridge.call;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.SystemTimekeeper.AlarmQueue.SuspendDetector;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Alarms after a time in which this process did not run. */
class SuspendDetectorTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final SuspendDetector awakening = new SuspendDetector();

    @Test
    void alarmIsDueAtItsTime() {
        awakening.awake(10 * SECOND, 10 * SECOND + SECOND / 2);

        assertThat(awakening.latest(9 * SECOND, 11 * SECOND)).isEqualTo(9 * SECOND);
    }

    @Test
    void alarmDueDuringASuspendWaitsOneSecondMore() {
        awakening.awake(10 * SECOND, 70 * SECOND);

        assertThat(awakening.latest(20 * SECOND, 70 * SECOND)).isEqualTo(71 * SECOND);
        assertThat(awakening.latest(90 * SECOND, 70 * SECOND)).isEqualTo(90 * SECOND);
    }

    @Test
    void gracePeriodEndsAfterOneSecond() {
        awakening.awake(10 * SECOND, 70 * SECOND);

        assertThat(awakening.latest(20 * SECOND, 71 * SECOND)).isEqualTo(20 * SECOND);
    }

    @Test
    void nextSuspendIsDetectedToo() {
        awakening.awake(10 * SECOND, 70 * SECOND);
        awakening.latest(20 * SECOND, 71 * SECOND);

        awakening.awake(80 * SECOND, 100 * SECOND);

        assertThat(awakening.latest(85 * SECOND, 100 * SECOND)).isEqualTo(101 * SECOND);
    }
}
