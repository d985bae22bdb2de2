package io.mcpbridge.audit.jdbc;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before the database is tried again: longer each time, never the same for all. For one thread. */
final class Pauses {
    private static final long FIRST_MILLIS = 50;
    private static final long LONGEST_MILLIS = 5_000;

    private final RandomGenerator random;
    private long next = FIRST_MILLIS;

    Pauses(RandomGenerator random) {
        this.random = random;
    }

    Duration next() {
        var millis = next / 2 + random.nextLong(next / 2 + 1);
        next = Math.min(2 * next, LONGEST_MILLIS);
        return Duration.ofMillis(millis);
    }

    void reset() {
        next = FIRST_MILLIS;
    }
}
