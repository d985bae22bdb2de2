package io.mcpbridge.call;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The pause after several failures in a row.
 *
 * @param first after the first failure, at the longest; at least two milliseconds
 * @param longest no pause is longer; at least {@code first}
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
     * The pause after so many failures: twice as long each time, half of it by chance, so that those who have failed in one
     * moment do not come back in one moment.
     *
     * @param failures at least 1
     */
    public Duration after(int failures, RandomGenerator random) {
        var doubled = first.multipliedBy(1L << Math.min(failures - 1, MOST_DOUBLINGS));
        var half = (doubled.compareTo(longest) < 0 ? doubled : longest).toNanos() / 2;
        return Duration.ofNanos(half + random.nextLong(half));
    }
}
