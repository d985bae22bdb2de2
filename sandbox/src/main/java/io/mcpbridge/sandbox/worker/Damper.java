package io.mcpbridge.sandbox.worker;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Makes the pause between starts that fail longer each time: 100 ms first, half a minute at the most, give or take a
 * fifth. Guarded by its owner's lock.
 */
final class Damper {
    private static final long FIRST_MILLIS = 100;
    private static final long LONGEST_MILLIS = 30_000;
    private static final int MOST_DOUBLINGS = 10;

    private int failures;
    private long until;
    private String trouble = "";

    /** A start failed. */
    void failed(String why) {
        trouble = why;
        var pause = Math.min(LONGEST_MILLIS, FIRST_MILLIS << Math.min(MOST_DOUBLINGS, failures));
        failures++;
        var jittered = pause * (0.8 + 0.4 * ThreadLocalRandom.current().nextDouble());
        until = System.nanoTime() + (long) (jittered * 1e6);
    }

    /** A start worked. */
    void succeeded() {
        failures = 0;
        trouble = "";
    }

    /** How long it is until the next start; zero or less if that may be now. */
    Duration rest() {
        return failures == 0 ? Duration.ZERO : Duration.ofNanos(until - System.nanoTime());
    }

    /** Why the last start failed; empty if it did not. */
    String trouble() {
        return trouble;
    }
}
