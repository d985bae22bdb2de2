package io.mcpbridge.audit.internal;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Wakes a writer when work that became necessary is due, after a fixed delay. For one thread. */
public final class WakeupTimer {
    private final Timekeeper timekeeper;
    private final Duration span;
    private final Runnable wake;
    private Timekeeper.@Nullable Alarm alarm;
    private long since;

    /** @param wake runs from another thread when the work is due */
    public WakeupTimer(Timekeeper timekeeper, Duration span, Runnable wake) {
        this.timekeeper = timekeeper;
        this.span = span;
        this.wake = wake;
    }

    /** Starts the timer, unless it runs. */
    public void start() {
        if (alarm == null) {
            since = timekeeper.nanoTime();
            alarm = timekeeper.schedule(span, wake);
        }
    }

    /** Whether the timer runs and its delay is over. */
    public boolean isDue() {
        return alarm != null && timekeeper.nanoTime() - since >= span.toNanos();
    }

    /** Whether the timer runs and its delay is not over. */
    public boolean isPending() {
        return alarm != null && !isDue();
    }

    /** Stops the timer: the work is done. */
    public void stop() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }
}
