package io.mcpbridge.call;

import java.time.Duration;

/**
 * Notices that this process was stopped for a while, by a signal or by a machine that slept, and holds alarms back for a
 * moment then: what came in meanwhile has not been read yet, and would look late. For one thread at a time.
 */
final class Awakening {
    /** Whoever wakes so much later than it wanted was stopped; no busy machine makes anybody wait so long. */
    static final Duration STOPPED = Duration.ofSeconds(2);

    /** How long there is to read what has come in. */
    static final Duration GRACE = Duration.ofSeconds(1);

    private boolean isRecent;
    private long until;

    /** The thread meant to wake at one moment, and does at another. */
    void awake(long planned, long now) {
        if (now - planned > STOPPED.toNanos()) {
            isRecent = true;
            until = now + GRACE.toNanos();
        }
    }

    /** When an alarm is due that was set for {@code at}. */
    long latest(long at, long now) {
        isRecent = isRecent && until - now > 0;
        return isRecent && until - at > 0 ? until : at;
    }
}
