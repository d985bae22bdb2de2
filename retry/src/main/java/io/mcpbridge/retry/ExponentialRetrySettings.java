package io.mcpbridge.retry;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/**
 * How often and how patiently {@link ExponentialRetryPolicy} tries.
 *
 * @param maxAttempts calls in all, the first one included; at least 1
 * @param delay the pauses; 1 s, 2 s, 4 s and so on by default
 */
public record ExponentialRetrySettings(int maxAttempts, GrowingDelay delay) {

    public static final ExponentialRetrySettings DEFAULTS =
            new ExponentialRetrySettings(3, new GrowingDelay(Duration.ofSeconds(1), 2, GrowingDelay.LONGEST));

    public ExponentialRetrySettings {
        Attempts.require(maxAttempts);
    }

    /**
     * Reads {@code max-attempts}, {@code first-delay}, {@code multiplier} and {@code max-delay}; a key that is absent
     * keeps its default.
     *
     * @throws ConfigurationException with every mistake in the section
     */
    public static ExponentialRetrySettings from(Settings settings) {
        var maxAttempts = Attempts.from(settings, DEFAULTS.maxAttempts);
        var delay = GrowingDelay.from(settings, DEFAULTS.delay);
        return settings.finish(() -> new ExponentialRetrySettings(maxAttempts, delay));
    }
}
