package io.mcpbridge.stream;

import io.mcpbridge.call.Timekeeper.Alarm;
import java.util.concurrent.atomic.AtomicReference;

/** Holds one alarm at a time; a new one takes the place of the old. Any thread may use it. */
final class AlarmSlot {
    private final AtomicReference<Alarm> alarm = new AtomicReference<>(Mark.EMPTY);

    void set(Alarm next) {
        var before = alarm.getAndUpdate(now -> now == Mark.CLOSED ? now : next);
        var superfluous = before == Mark.CLOSED ? next : before;
        superfluous.cancel();
    }

    void cancel() {
        set(Mark.EMPTY);
    }

    /** Cancels the alarm and each that is set from now on. */
    void close() {
        alarm.getAndSet(Mark.CLOSED).cancel();
    }

    private enum Mark implements Alarm {
        EMPTY,
        CLOSED;

        @Override
        public void cancel() {}
    }
}
