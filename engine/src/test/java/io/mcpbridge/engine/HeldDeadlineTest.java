package io.mcpbridge.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.mcpbridge.call.Deadline;
import io.mcpbridge.testkit.FakeTimekeeper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A deadline that is paused while a client answers. */
class HeldDeadlineTest {
    private final FakeTimekeeper timekeeper = new FakeTimekeeper();
    private final AtomicInteger rung = new AtomicInteger();

    @Test
    void pausedDeadlineDoesNotAdvance() {
        var deadline = Deadline.after(Duration.ofSeconds(10), timekeeper);
        deadline.alarm(rung::incrementAndGet);
        timekeeper.advance(Duration.ofSeconds(6));

        var release = deadline.hold();
        timekeeper.advance(Duration.ofMinutes(5));
        assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(4));
        assertThat(rung).hasValue(0);

        release.run();
        release.run();
        timekeeper.advance(Duration.ofSeconds(3));
        assertThat(rung).hasValue(0);
        timekeeper.advance(Duration.ofSeconds(10));
        assertThat(rung).hasValue(1);
        assertThat(deadline.isExpired()).isTrue();
    }

    @Test
    void pauseAppliesToTheEnclosingDeadline() {
        var surrounding = Deadline.after(Duration.ofSeconds(20), timekeeper);
        var deadline = surrounding.within(Duration.ofSeconds(10));
        var release = deadline.hold();

        timekeeper.advance(Duration.ofSeconds(30));

        assertThat(surrounding.remaining()).isEqualTo(Duration.ofSeconds(20));
        release.run();
        timekeeper.advance(Duration.ofSeconds(15));
        assertThat(deadline.isExpired()).isTrue();
        assertThat(surrounding.isExpired()).isFalse();
    }

    @Test
    void observerIsNotifiedWhenAPartIsPausedAndResumed() {
        var whole = Deadline.after(Duration.ofSeconds(20), timekeeper);
        var heard = new ArrayList<Boolean>();
        var part = whole.watched(deadline -> heard.add(deadline.isHeld()));
        var attempt = part.within(Duration.ofSeconds(10));

        whole.hold().run();
        assertThat(heard).isEmpty();
        var first = attempt.hold();
        var second = part.hold();
        timekeeper.advance(Duration.ofMinutes(1));
        first.run();
        assertThat(heard).containsExactly(true);
        second.run();

        assertThat(heard).containsExactly(true, false);
        assertThat(part.remaining()).isEqualTo(Duration.ofSeconds(20));
        timekeeper.advance(Duration.ofSeconds(20));
        assertThat(part.isExpired()).isTrue();
    }

    @Test
    void deadlineEndsNoLaterThanItsEnclosingDeadline() {
        var surrounding = Deadline.after(Duration.ofSeconds(1), timekeeper);

        var deadline = surrounding.within(Duration.ofSeconds(10));

        assertThat(deadline.remaining()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void alarmCancelledDuringAPauseDoesNotFire() {
        var deadline = Deadline.after(Duration.ofSeconds(1), timekeeper);
        var alarm = deadline.alarm(rung::incrementAndGet);
        var release = deadline.hold();
        timekeeper.advance(Duration.ofSeconds(2));
        alarm.cancel();

        release.run();
        timekeeper.advance(Duration.ofMinutes(1));

        assertThat(rung).hasValue(0);
    }
}
