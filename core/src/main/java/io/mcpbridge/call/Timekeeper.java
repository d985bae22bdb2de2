package io.mcpbridge.call;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock and the alarms of a bridge, so that tests can move time. Any thread may use it.
 *
 * <p>Deadlines and durations use {@link #nanoTime}, which is independent of the wall clock.
 */
public interface Timekeeper {

    /** The monotonic time in nanoseconds, comparable only with other times of this timekeeper. */
    long nanoTime();

    /** The wall clock, for records that people read. */
    Instant now();

    /** Runs {@code action} once after {@code delay} on a thread of the timekeeper; the action must not wait. */
    Alarm schedule(Duration delay, Runnable action);

    /** An action that has not run yet. */
    interface Alarm {

        /** Cancels the action; has no effect if it has run. */
        void cancel();
    }
}
