package io.mcpbridge.call;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * An exponential backoff with jitter: the pauses after consecutive failures.
 *
 * @param first the longest pause after the first failure; at least two milliseconds
 * @param longest the upper bound of all pauses; at least {@code first}
 */
public record JitteredBackoff(Duration first, Duration longest) {
    private static final int MOST_DOUBLINGS = 30;

    public JitteredBackoff {
        if (first.toMillis() < 2 || longest.compareTo(first) < 0) {
            throw new IllegalArgumentException(
                    "a pause of %s first and %s at the longest is none".formatted(first, longest));
        }
    }

    /**
     * The pause after this number of failures. It doubles with each failure. Half of it is random, so that clients that
     * fail at the same time do not retry at the same time.
     *
     * @param failures at least 1
     */
    public Duration after(int failures, RandomGenerator random) {
        var doubled = first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        var half = (doubled.compareTo(longest) < 0 ? doubled : longest).toNanos() / 2;
        return Duration.ofNanos(half + random.nextLong(half));
    }
}
