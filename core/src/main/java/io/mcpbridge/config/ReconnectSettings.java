package io.mcpbridge.config;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/**
 * How patiently a lost server is connected again in the background. Calls do not wait for that: each tries by itself.
 *
 * @param firstDelay the pause before the first try; later ones double, up to {@link #LONGEST_DELAY}
 * @param maxTries after so many it is given up; 0 to try only by calls
 */
public record ReconnectSettings(Duration firstDelay, int maxTries) {

    /** No pause is longer. */
    public static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

    /** Ten tries, the first after one second. */
    public static final ReconnectSettings DEFAULTS = new ReconnectSettings(Duration.ofSeconds(1), 10);

    private static final int DOUBLINGS = 30;

    public ReconnectSettings {
        require(firstDelay.toNanos() > 0, "reconnect-backoff", firstDelay, "longer than zero");
        require(maxTries >= 0, "reconnect-attempts", maxTries, "at least 0");
    }

    /** Reads these keys of a server's section; those that are absent keep their default. */
    public static ReconnectSettings from(Settings settings) {
        var firstDelay = settings.duration("reconnect-backoff", "reconnectBackoffMs", DEFAULTS.firstDelay);
        var maxTries = settings.integer(settings.either("reconnect-attempts", "reconnectAttempts"), DEFAULTS.maxTries);
        if (firstDelay.toNanos() <= 0) {
            settings.reject(settings.either("reconnect-backoff", "reconnectBackoffMs"), "longer than zero");
            return DEFAULTS;
        }
        if (maxTries < 0) {
            settings.reject(settings.either("reconnect-attempts", "reconnectAttempts"), "at least 0");
            return DEFAULTS;
        }
        return new ReconnectSettings(firstDelay, maxTries);
    }

    /** The pause behind so many tries. */
    public Duration delay(int tries) {
        var doubled = firstDelay.multipliedBy(1L << Math.min(tries, DOUBLINGS));
        return doubled.compareTo(LONGEST_DELAY) < 0 ? doubled : longest();
    }

    private Duration longest() {
        return firstDelay.compareTo(LONGEST_DELAY) < 0 ? LONGEST_DELAY : firstDelay;
    }

    private static void require(boolean holds, String key, Object value, String rule) {
        if (!holds) {
            throw ConfigurationException.of("'%s' is %s but must be %s".formatted(key, value, rule));
        }
    }
}
