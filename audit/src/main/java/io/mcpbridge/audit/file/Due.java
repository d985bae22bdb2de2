package io.mcpbridge.audit.file;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that must be done a while after it became needed; an alarm wakes the writer for it. For one thread. */
final class Due {
    private final Timekeeper timekeeper;
    private final Duration span;
    private final Runnable wake;
    private Timekeeper.@Nullable Alarm alarm;
    private long since;

    Due(Timekeeper timekeeper, Duration span, Runnable wake) {
        this.timekeeper = timekeeper;
        this.span = span;
        this.wake = wake;
    }

    /** It is needed from now on, if it was not before. */
    void need() {
        if (alarm == null) {
            since = timekeeper.nanoTime();
            alarm = timekeeper.schedule(span, wake);
        }
    }

    boolean isDue() {
        return alarm != null && timekeeper.nanoTime() - since >= span.toNanos();
    }

    /** Whether it is needed, but not yet. */
    boolean isWaiting() {
        return alarm != null && !isDue();
    }

    /** It has been done. */
    void done() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }
}
