package io.mcpbridge.config;

import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.LinkedHashMap;

/**
 * The retries of calls to one server.
 *
 * @param policy the name of the retry policy, or the empty string for that of the bridge
 * @param maxRetries attempts after the first; 0 to 100
 * @param delay pause before the first retry; zero or longer
 * @param multiplier factor from each pause to the next; 1 to 1000
 */
public record RetrySettings(String policy, int maxRetries, Duration delay, double multiplier) {

    public static final RetrySettings DEFAULTS = new RetrySettings("", 2, Duration.ofSeconds(1), 2);

    private static final String RETRIES = "between 0 and 100";
    private static final String MULTIPLIER = "between 1 and 1000";

    public RetrySettings {
        new MistakeCollector()
                .unless(isRetries(maxRetries), "max-retries", maxRetries, RETRIES)
                .unless(!delay.isNegative(), "retry-delay", delay, "zero or longer")
                .unless(isMultiplier(multiplier), "backoff-multiplier", multiplier, MULTIPLIER)
                .throwIfAny();
    }

    /** Reads the keys of a server's section, which collects the mistakes; absent keys keep their default. */
    static RetrySettings from(Settings settings) {
        return from(settings, DEFAULTS);
    }

    /** Reads the keys of a section, which collects the mistakes; absent keys are as in {@code otherwise}. */
    public static RetrySettings from(Settings settings, RetrySettings otherwise) {
        return new RetrySettings(
                settings.text("retry", otherwise.policy),
                retries(settings, otherwise.maxRetries),
                delay(settings, otherwise.delay),
                multiplier(settings, otherwise.multiplier));
    }

    /**
     * Returns the section of the policy: the keys that {@code section} has, under the names that policies read. A policy
     * has its own defaults for the others.
     */
    public Settings policySection(Settings section) {
        var values = new LinkedHashMap<String, Object>();
        if (section.has("max-retries") || section.has("maxRetries")) {
            values.put("max-attempts", maxRetries + 1);
        }
        if (section.has("retry-delay") || section.has("retryDelayMs")) {
            values.put("first-delay", delay.toMillis() + "ms");
        }
        if (section.has("backoff-multiplier") || section.has("backoffMultiplier")) {
            values.put("multiplier", multiplier);
        }
        return Settings.of(values);
    }

    private static int retries(Settings settings, int otherwise) {
        int retries = settings.integer(settings.either("max-retries", "maxRetries"), otherwise);
        return settings.require(isRetries(retries), "max-retries", RETRIES) ? retries : otherwise;
    }

    private static Duration delay(Settings settings, Duration otherwise) {
        var delay = settings.duration("retry-delay", "retryDelayMs", otherwise);
        return settings.require(!delay.isNegative(), "retryDelayMs", "0 or more") ? delay : otherwise;
    }

    private static double multiplier(Settings settings, double otherwise) {
        var multiplier = settings.number(settings.either("backoff-multiplier", "backoffMultiplier"), otherwise);
        return settings.require(isMultiplier(multiplier), "backoff-multiplier", MULTIPLIER) ? multiplier : otherwise;
    }

    private static boolean isRetries(int value) {
        return value >= 0 && value <= 100;
    }

    private static boolean isMultiplier(double value) {
        return value >= 1 && value <= 1_000;
    }
}
