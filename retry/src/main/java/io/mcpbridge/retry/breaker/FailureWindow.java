package io.mcpbridge.retry.breaker;

import java.time.Duration;

/** Counts calls and failures in a sliding window of ten slices. Guarded by the lock of the breaker. */
final class FailureWindow {
    private static final int SLICES = 10;

    private final long sliceNanos;
    private final int[] calls = new int[SLICES];
    private final int[] failures = new int[SLICES];
    private int allCalls;
    private int allFailures;
    private long current;

    FailureWindow(Duration span, long now) {
        this.sliceNanos = Math.max(1, span.toNanos() / SLICES);
        this.current = Math.floorDiv(now, sliceNanos);
    }

    void count(long now, boolean failed) {
        moveTo(now);
        var slice = slice(current);
        calls[slice]++;
        allCalls++;
        if (failed) {
            failures[slice]++;
            allFailures++;
        }
    }

    int calls() {
        return allCalls;
    }

    int failures() {
        return allFailures;
    }

    void clear(long now) {
        moveTo(now + SLICES * sliceNanos);
        current = Math.floorDiv(now, sliceNanos);
    }

    private void moveTo(long now) {
        var target = Math.floorDiv(now, sliceNanos);
        var steps = Math.min(SLICES, target - current);
        for (int i = 1; i <= steps; i++) {
            var slice = slice(current + i);
            allCalls -= calls[slice];
            allFailures -= failures[slice];
            calls[slice] = 0;
            failures[slice] = 0;
        }
        current = Math.max(current, target);
    }

    private static int slice(long number) {
        return (int) Math.floorMod(number, (long) SLICES);
    }
}
