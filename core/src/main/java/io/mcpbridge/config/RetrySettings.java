package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/**
 * How often calls of one server are repeated.
 *
 * @param policy the name of the retry policy, or the empty string for that of the bridge
 * @param maxRetries repetitions after the first try; 0 to 100
 * @param delay pause before the first repetition; zero or longer
 * @param multiplier each later pause is so many times the last; 1 to 1000
 */
public record RetrySettings(String policy, int maxRetries, Duration delay, double multiplier) {

    public static final RetrySettings DEFAULTS = new RetrySettings("", 2, Duration.ofSeconds(1), 2);

    private static final String RETRIES = "between 0 and 100";
    private static final String MULTIPLIER = "between 1 and 1000";

    public RetrySettings {
        require(isRetries(maxRetries), "max-retries", maxRetries, RETRIES);
        require(!delay.isNegative(), "retry-delay", delay, "zero or longer");
        require(isMultiplier(multiplier), "backoff-multiplier", multiplier, MULTIPLIER);
    }

    /** Reads the keys of a server's section; mistakes are noted there, and an absent key keeps its default. */
    static RetrySettings from(Settings settings) {
        return new RetrySettings(
                settings.text("retry", DEFAULTS.policy), retries(settings), delay(settings), multiplier(settings));
    }

    private static int retries(Settings settings) {
        var key = settings.either("max-retries", "maxRetries");
        int retries = settings.integer(key, DEFAULTS.maxRetries);
        if (isRetries(retries)) {
            return retries;
        }
        settings.reject(key, RETRIES);
        return DEFAULTS.maxRetries;
    }

    private static Duration delay(Settings settings) {
        var delay = settings.duration("retry-delay", "retryDelayMs", DEFAULTS.delay);
        if (!delay.isNegative()) {
            return delay;
        }
        settings.reject("retryDelayMs", "0 or more");
        return DEFAULTS.delay;
    }

    private static double multiplier(Settings settings) {
        var key = settings.either("backoff-multiplier", "backoffMultiplier");
        var multiplier = settings.number(key, DEFAULTS.multiplier);
        if (isMultiplier(multiplier)) {
            return multiplier;
        }
        settings.reject(key, MULTIPLIER);
        return DEFAULTS.multiplier;
    }

    private static boolean isRetries(int value) {
        return value >= 0 && value <= 100;
    }

    private static boolean isMultiplier(double value) {
        return value >= 1 && value <= 1_000;
    }

    private static void require(boolean holds, String key, Object value, String rule) {
        if (!holds) {
            throw ConfigurationException.of("'%s' is %s but must be %s".formatted(key, value, rule));
        }
    }
}
