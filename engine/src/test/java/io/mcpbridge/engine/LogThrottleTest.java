package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.spi.LogThrottle;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which of alternating failures and recoveries are logged. */
class LogThrottleTest {
    private final FakeTimekeeper time = new FakeTimekeeper();
    private final LogThrottle calm = new LogThrottle(time);
    private final List<String> told = new ArrayList<>();

    @Test
    void failureIsLoggedOnceAtItsStart() {
        fail();
        fail();

        assertThat(told).containsExactly("failed");
    }

    @Test
    void recoveryIsLoggedOnceItLasts() {
        fail();
        work();
        time.advance(Duration.ofMillis(999));
        assertThat(told).containsExactly("failed");

        time.advance(Duration.ofMillis(1));

        assertThat(told).containsExactly("failed", "works");
        assertThat(time.pendingAlarms()).isZero();
    }

    @Test
    void alternatingFailuresAreLoggedOnce() {
        for (int i = 0; i < 100; i++) {
            fail();
            work();
            time.advance(Duration.ofMillis(500));
        }
        assertThat(told).containsExactly("failed");
        assertThat(time.pendingAlarms()).isOne();

        time.advance(Duration.ofSeconds(1));

        assertThat(told).containsExactly("failed", "works");
    }

    @Test
    void requiredRecoveryTimeGrowsUpToAMinute() {
        for (int i = 0; i < 10; i++) {
            fail();
            work();
            time.advance(Duration.ofMinutes(1));
        }
        fail();
        work();
        time.advance(Duration.ofSeconds(59));

        assertThat(told).hasSize(21).last().isEqualTo("failed");
    }

    @Test
    void recoveryWithoutAFailureIsNotLogged() {
        work();
        time.advance(Duration.ofMinutes(2));

        assertThat(told).isEmpty();
    }

    private void fail() {
        if (calm.failed()) {
            told.add("failed");
        }
    }

    private void work() {
        calm.worked(() -> told.add("works"));
    }
}
