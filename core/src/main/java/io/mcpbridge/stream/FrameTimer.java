package io.mcpbridge.stream;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;

/**
 * Watches that a line which has begun also ends. For the reading thread, but {@link #close} for any. A line
 * that comes in one piece costs no alarm.
 */
final class FrameTimer {
    private final Duration patience;
    private final Timekeeper timekeeper;
    private final Runnable tooSlow;
    private final AlarmSlot alarm = new AlarmSlot();
    private boolean running;

    FrameTimer(Duration patience, Timekeeper timekeeper, Runnable tooSlow) {
        this.patience = patience;
        this.timekeeper = timekeeper;
        this.tooSlow = tooSlow;
    }

    /** The line that was timed has ended; what follows is another. */
    void frameEnded() {
        if (running) {
            running = false;
            alarm.cancel();
        }
    }

    /** Bytes were read, and now there is an unfinished line or not. */
    void update(boolean insideFrame) {
        if (!insideFrame) {
            frameEnded();
        } else if (!running) {
            running = true;
            alarm.set(timekeeper.schedule(patience, tooSlow));
        }
    }

    void close() {
        alarm.close();
    }
}
