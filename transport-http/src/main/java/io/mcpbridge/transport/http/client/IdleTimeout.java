package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Runs an action when a stream has been silent for too long, comments included: half-open connections are silent for
 * ever. Any thread may use it.
 */
final class IdleTimeout {
    private final Timekeeper timekeeper;
    private final Duration limit;
    private final Runnable onIdle;
    private volatile long lastActivity;
    private volatile boolean isStopped;
    private volatile Timekeeper.@Nullable Alarm alarm;

    /**
     * Creates a time-out that has not started.
     *
     * @param onIdle runs once, unless the time-out is stopped before
     */
    IdleTimeout(Timekeeper timekeeper, Duration limit, Runnable onIdle) {
        this.timekeeper = timekeeper;
        this.limit = limit;
        this.onIdle = onIdle;
    }

    IdleTimeout begin() {
        lastActivity = timekeeper.nanoTime();
        check();
        return this;
    }

    void reset() {
        if (alarm != null) {
            lastActivity = timekeeper.nanoTime();
        }
    }

    void stop() {
        isStopped = true;
        var pending = alarm;
        if (pending != null) {
            pending.cancel();
        }
    }

    private void check() {
        if (isStopped) {
            return;
        }
        var left = limit.minusNanos(timekeeper.nanoTime() - lastActivity);
        if (left.isNegative() || left.isZero()) {
            isStopped = true;
            onIdle.run();
            return;
        }
        alarm = timekeeper.schedule(left, this::check);
        if (isStopped) {
            stop();
        }
    }
}
