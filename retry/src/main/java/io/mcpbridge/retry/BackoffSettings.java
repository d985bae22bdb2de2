package io.mcpbridge.retry;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.RetryPolicy.Attempt;
import io.mcpbridge.spi.RetryPolicy.Decision;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/**
 * The settings of a retry policy with backoff: the number of attempts and the delays between them.
 *
 * @param maxAttempts attempts in all, including the first one; at least 1
 * @param delay the delays between them
 */
public record BackoffSettings(int maxAttempts, ExponentialBackoff delay) {

    /** The defaults of {@link ExponentialRetryPolicy}: 3 attempts, after 1 s and 2 s. */
    public static final BackoffSettings EXPONENTIAL =
            new BackoffSettings(3, new ExponentialBackoff(Duration.ofSeconds(1), 2, ExponentialBackoff.LONGEST));

    /** The defaults of {@link SafeRetryPolicy}: 3 attempts, after at most 100 ms and 200 ms, never more than 20 s. */
    public static final BackoffSettings SAFE =
            new BackoffSettings(3, new ExponentialBackoff(Duration.ofMillis(100), 2, Duration.ofSeconds(20)));

    private static final String MAX_ATTEMPTS = "max-attempts";
    private static final String MAX_ATTEMPTS_RULE = "at least 1";

    public BackoffSettings {
        new MistakeCollector()
                .unless(maxAttempts >= 1, MAX_ATTEMPTS, maxAttempts, MAX_ATTEMPTS_RULE)
                .throwIfAny();
    }

    /**
     * Reads {@code max-attempts}, {@code first-delay}, {@code multiplier} and {@code max-delay}; a key that is absent
     * is as in {@code defaults}.
     *
     * @throws ConfigurationException with every mistake in the section
     */
    public static BackoffSettings from(Settings settings, BackoffSettings defaults) {
        var maxAttempts = maxAttempts(settings, defaults.maxAttempts);
        var delay = ExponentialBackoff.from(settings, defaults.delay);
        return settings.finish(() -> new BackoffSettings(maxAttempts, delay));
    }

    private static int maxAttempts(Settings settings, int otherwise) {
        // This key has already selected the policy.
        settings.ignore("policy");
        var maxAttempts = settings.integer(MAX_ATTEMPTS, otherwise);
        if (maxAttempts >= 1) {
            return maxAttempts;
        }
        settings.reject(MAX_ATTEMPTS, MAX_ATTEMPTS_RULE);
        return otherwise;
    }

    /** Returns a retry after {@code delay}, or after the server's {@code Retry-After} if that is longer. */
    Decision retryAfter(Duration delay, Attempt failed) {
        if (failed.number() >= maxAttempts) {
            return new Decision.Stop("all %d attempts are used".formatted(maxAttempts));
        }
        var longer =
                ExponentialBackoff.longer(delay, failed.failure().retryAfter().orElse(Duration.ZERO));
        if (longer.compareTo(failed.remaining()) >= 0) {
            return new Decision.Stop("the next attempt is due in %d ms, but the caller waits only %d ms more"
                    .formatted(longer.toMillis(), failed.remaining().toMillis()));
        }
        return new Decision.Retry(longer);
    }

    /**
     * A delay that grows exponentially from attempt to attempt, up to a bound.
     *
     * @param first the delay after the first attempt; zero to 24 hours
     * @param multiplier the ratio of one delay to the one before; 1 to 1000
     * @param max the longest delay; at least {@code first}, at most 24 hours
     */
    public record ExponentialBackoff(Duration first, double multiplier, Duration max) {
        static final Duration LONGEST = Duration.ofHours(24);

        public ExponentialBackoff {
            new MistakeCollector()
                    .unless(isFirst(first), "first-delay", first, "between 0s and 24h")
                    .unless(multiplier >= 1 && multiplier <= 1_000, "multiplier", multiplier, "between 1 and 1000")
                    .unless(isMax(max, first), "max-delay", max, "at least 'first-delay' and at most 24h")
                    .throwIfAny();
        }

        /**
         * Reads the keys of a {@code retry} section; reports mistakes there; a key that is absent is as in {@code
         * otherwise}.
         */
        static ExponentialBackoff from(Settings settings, ExponentialBackoff otherwise) {
            // An invalid first delay must not make 'max-delay' invalid too.
            var first = settings.has("first-delay")
                    ? settings.duration("first-delay").orElse(Duration.ZERO)
                    : otherwise.first;
            var multiplier = settings.number("multiplier", otherwise.multiplier);
            var max = settings.duration("max-delay", isFirst(first) ? longer(first, otherwise.max) : otherwise.max);
            return settings.noting(() -> new ExponentialBackoff(first, multiplier, max), otherwise);
        }

        /** The delay after the attempt with this number, which counts from 1. */
        public Duration after(int attempt) {
            var nanos = first.toNanos() * Math.pow(multiplier, attempt - 1.0);
            return Duration.ofNanos((long) Math.min(nanos, (double) max.toNanos()));
        }

        /** The same backoff with a first delay of at least {@code least}. */
        ExponentialBackoff startingAtLeast(Duration least) {
            var start = longer(first, least);
            return new ExponentialBackoff(start, multiplier, longer(max, start));
        }

        static Duration longer(Duration one, Duration other) {
            return one.compareTo(other) >= 0 ? one : other;
        }

        private static boolean isFirst(Duration value) {
            return !value.isNegative() && value.compareTo(LONGEST) <= 0;
        }

        /** An invalid first delay is no bound. */
        private static boolean isMax(Duration value, Duration first) {
            return value.compareTo(isFirst(first) ? first : Duration.ZERO) >= 0 && value.compareTo(LONGEST) <= 0;
        }
    }
}
