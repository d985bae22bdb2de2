package io.mcpbridge.retry.limit;

import java.util.concurrent.TimeUnit;

/**
 * The generic cell rate algorithm: one moment tells how much was taken, and when the next call may begin. One thread at
 * a time.
 */
final class CellRate {
    private final double nanosPerCall;
    private final double slack;
    private double dueAt;

    CellRate(RateLimitSettings.Rate rate, long now) {
        this.nanosPerCall = TimeUnit.SECONDS.toNanos(1) / rate.perSecond();
        this.slack = nanosPerCall * (rate.burst() - 1.0);
        this.dueAt = now;
    }

    /** How many nanoseconds a call that comes now has to wait; zero if it may begin. */
    long pause(long now) {
        return (long) Math.ceil(Math.max(0, dueAt - slack - now));
    }

    /** A call begins. */
    void take(long now) {
        dueAt = Math.max(dueAt, (double) now) + nanosPerCall;
    }

    /** Whether nothing was taken lately, so that this may be forgotten. */
    boolean isIdle(long now) {
        return dueAt <= now;
    }
}
