package io.mcpbridge.stream;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A clock whose alarms the test fires by hand. */
final class ManualClock implements Timekeeper {
    private final List<Runnable> alarms = new ArrayList<>();

    @Override
    public long nanoTime() {
        return 0;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH;
    }

    @Override
    public Alarm schedule(Duration delay, Runnable action) {
        alarms.add(action);
        return () -> alarms.remove(action);
    }

    int pending() {
        return alarms.size();
    }

    void ring() {
        var due = List.copyOf(alarms);
        alarms.clear();
        due.forEach(Runnable::run);
    }
}
