package io.mcpbridge.retry.breaker;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/**
 * The settings of a circuit breaker: when it opens, and for how long.
 *
 * @param consecutive how many failures in a row open it; at least 1
 * @param failurePercent the failure rate within the window that opens it; 1 to 100
 * @param minimumCalls how many calls the window needs before the failure rate counts; at least 1
 * @param window how long a call counts; at least a second
 * @param openTime the first open interval; each further one is twice as long
 * @param maxOpenTime the longest open interval; at least {@code openTime}
 */
public record BreakerSettings(
        int consecutive,
        int failurePercent,
        int minimumCalls,
        Duration window,
        Duration openTime,
        Duration maxOpenTime) {

    private static final Duration LONGEST = Duration.ofHours(24);

    public static final BreakerSettings DEFAULTS =
            new BreakerSettings(5, 50, 10, Duration.ofSeconds(60), Duration.ofSeconds(5), Duration.ofMinutes(5));

    public BreakerSettings {
        new MistakeCollector()
                .unless(consecutive >= 1, "consecutive", consecutive, "at least 1")
                .unless(
                        failurePercent >= 1 && failurePercent <= 100,
                        "failure-percent",
                        failurePercent,
                        "between 1 and 100")
                .unless(minimumCalls >= 1, "minimum-calls", minimumCalls, "at least 1")
                .unless(isWithin(window, Duration.ofSeconds(1)), "window", window, "between 1s and 24h")
                .unless(isWithin(openTime, Duration.ofMillis(1)), "open-time", openTime, "between 1ms and 24h")
                .unless(isMax(maxOpenTime, openTime), "max-open-time", maxOpenTime, "between 'open-time' and 24h")
                .throwIfAny();
    }

    /**
     * Reads a {@code breaker} section; a key that is absent keeps its default.
     *
     * @throws ConfigurationException with every mistake in the section
     */
    public static BreakerSettings from(Settings settings) {
        var consecutive = settings.integer("consecutive", DEFAULTS.consecutive);
        var failurePercent = settings.integer("failure-percent", DEFAULTS.failurePercent);
        var minimumCalls = settings.integer("minimum-calls", DEFAULTS.minimumCalls);
        var window = settings.duration("window", DEFAULTS.window);
        var openTime = settings.duration("open-time", DEFAULTS.openTime);
        var usualMax = openTime.compareTo(DEFAULTS.maxOpenTime) > 0 ? openTime : DEFAULTS.maxOpenTime;
        var maxOpenTime = settings.duration("max-open-time", usualMax);
        return settings.finish(
                () -> new BreakerSettings(consecutive, failurePercent, minimumCalls, window, openTime, maxOpenTime));
    }

    private static boolean isWithin(Duration value, Duration least) {
        return value.compareTo(least) >= 0 && value.compareTo(LONGEST) <= 0;
    }

    /** An invalid first interval is no bound. */
    private static boolean isMax(Duration value, Duration openTime) {
        return isWithin(value, openTime.compareTo(LONGEST) > 0 ? Duration.ZERO : openTime);
    }
}
