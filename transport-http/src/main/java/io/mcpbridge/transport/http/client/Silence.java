package io.mcpbridge.transport.http.client;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Watches that something is heard of a stream now and then, be it only a comment: half-open connections are silent
 * for ever. Any thread may use it.
 */
final class Silence {
    private final Timekeeper timekeeper;
    private final Duration limit;
    private final Runnable tooLong;
    private volatile long heardAt;
    private volatile boolean isOver;
    private volatile Timekeeper.@Nullable Alarm alarm;

    /**
     * One that does not watch yet.
     *
     * @param tooLong runs once, unless it is stopped before
     */
    Silence(Timekeeper timekeeper, Duration limit, Runnable tooLong) {
        this.timekeeper = timekeeper;
        this.limit = limit;
        this.tooLong = tooLong;
    }

    Silence begin() {
        heardAt = timekeeper.nanoTime();
        look();
        return this;
    }

    void heard() {
        if (alarm != null) {
            heardAt = timekeeper.nanoTime();
        }
    }

    void stop() {
        isOver = true;
        var pending = alarm;
        if (pending != null) {
            pending.cancel();
        }
    }

    private void look() {
        if (isOver) {
            return;
        }
        var left = limit.minusNanos(timekeeper.nanoTime() - heardAt);
        if (left.isNegative() || left.isZero()) {
            isOver = true;
            tooLong.run();
            return;
        }
        alarm = timekeeper.schedule(left, this::look);
        if (isOver) {
            stop();
        }
    }
}
