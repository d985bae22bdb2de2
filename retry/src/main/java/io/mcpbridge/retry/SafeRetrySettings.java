package io.mcpbridge.retry;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/**
 * How often and how patiently {@link SafeRetryPolicy} tries.
 *
 * @param maxAttempts calls in all, the first one included; at least 1
 * @param delay the longest pauses, of which chance takes a part; 100 ms, 200 ms and so on up to 20 s by default
 */
public record SafeRetrySettings(int maxAttempts, GrowingDelay delay) {

    public static final SafeRetrySettings DEFAULTS =
            new SafeRetrySettings(3, new GrowingDelay(Duration.ofMillis(100), 2, Duration.ofSeconds(20)));

    public SafeRetrySettings {
        Attempts.require(maxAttempts);
    }

    /**
     * Reads {@code max-attempts}, {@code first-delay}, {@code multiplier} and {@code max-delay}; a key that is absent
     * keeps its default.
     *
     * @throws ConfigurationException with every mistake in the section
     */
    public static SafeRetrySettings from(Settings settings) {
        var maxAttempts = Attempts.from(settings, DEFAULTS.maxAttempts);
        var delay = GrowingDelay.from(settings, DEFAULTS.delay);
        return settings.finish(() -> new SafeRetrySettings(maxAttempts, delay));
    }
}
