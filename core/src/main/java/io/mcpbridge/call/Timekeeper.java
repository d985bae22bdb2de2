package io.mcpbridge.call;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock and the alarms of a bridge, so that tests can move time. Any thread may use it.
 *
 * <p>Deadlines and durations go by {@link #nanoTime}, which a change of the wall clock does not touch.
 */
public interface Timekeeper {

    /** A monotonic reading in nanoseconds, comparable only with other readings of this timekeeper. */
    long nanoTime();

    /** The wall clock, for records that people read. */
    Instant now();

    /** Runs {@code action} once after {@code delay} on a thread of the timekeeper; the action must not wait. */
    Alarm schedule(Duration delay, Runnable action);

    /** An action that has not run yet. */
    interface Alarm {

        /** Withdraws the action; harmless when it has run. */
        void cancel();
    }
}
