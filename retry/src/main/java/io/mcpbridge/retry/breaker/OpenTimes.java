package io.mcpbridge.retry.breaker;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long a server is held off: each time twice as long as the last. One thread at a time. */
final class OpenTimes {
    /** How much of a time is left to chance, so that many bridges do not come back in one moment. */
    private static final double JITTER = 0.2;

    private static final int MOST_DOUBLINGS = 30;

    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;
    private int openings;

    OpenTimes(Duration first, Duration longest, RandomGenerator random) {
        this.first = first;
        this.longest = longest;
        this.random = random;
    }

    /** The next time begins anew; the server was well for a while. */
    void reset() {
        openings = 0;
    }

    Duration next() {
        openings = Math.min(MOST_DOUBLINGS, openings + 1);
        var grown = first.toNanos() * Math.pow(2, openings - 1.0);
        var bounded = Math.min(grown, (double) longest.toNanos());
        return Duration.ofNanos((long) (bounded * (1 - JITTER + 2 * JITTER * random.nextDouble())));
    }
}
