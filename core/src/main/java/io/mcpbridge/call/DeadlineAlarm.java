package io.mcpbridge.call;

import java.time.Duration;

/** Waits for a deadline, again and again where its clock was held meanwhile. Any thread. */
final class DeadlineAlarm implements Timekeeper.Alarm, Runnable {
    /** How often a held deadline is looked at, at the most. */
    private static final Duration PATIENCE = Duration.ofMillis(50);

    private static final Timekeeper.Alarm UNSET = () -> {};

    private final Deadline deadline;
    private final Timekeeper timekeeper;
    private final Runnable action;
    private volatile Timekeeper.Alarm current = UNSET;
    private volatile boolean isCancelled;

    DeadlineAlarm(Deadline deadline, Timekeeper timekeeper, Runnable action) {
        this.deadline = deadline;
        this.timekeeper = timekeeper;
        this.action = action;
    }

    Timekeeper.Alarm set() {
        current = timekeeper.schedule(deadline.remaining(), this);
        return this;
    }

    /** The moment has come that was looked forward to. */
    @Override
    public void run() {
        if (isCancelled) {
            return;
        }
        if (deadline.isExpired()) {
            action.run();
            return;
        }
        var left = deadline.remaining();
        current = timekeeper.schedule(left.compareTo(PATIENCE) < 0 ? PATIENCE : left, this);
        if (isCancelled) {
            current.cancel();
        }
    }

    @Override
    public void cancel() {
        isCancelled = true;
        current.cancel();
    }
}
