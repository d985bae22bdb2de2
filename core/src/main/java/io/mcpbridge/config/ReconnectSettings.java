package io.mcpbridge.config;

import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * How it is noticed that a server was lost, and how patiently it is connected again in the background. Calls do not wait
 * for that: each tries by itself.
 *
 * @param firstDelay the pause before the first try; later ones double, up to {@link #LONGEST_DELAY}
 * @param maxTries after so many it is given up; 0 to try only by calls
 * @param keepAlive after how much silence it is asked for a sign of life; 0 to ask never
 * @param maxStarts how often its process may be started within a minute
 */
public record ReconnectSettings(Duration firstDelay, int maxTries, Duration keepAlive, int maxStarts) {

    /** No pause is longer. */
    public static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

    /** Ten tries, the first after one second; asked after half a minute; five starts. */
    public static final ReconnectSettings DEFAULTS =
            new ReconnectSettings(Duration.ofSeconds(1), 10, Duration.ofSeconds(30), 5);

    private static final int DOUBLINGS = 30;

    public ReconnectSettings {
        new Refusals()
                .unless(firstDelay.compareTo(Duration.ZERO) > 0, "reconnect-backoff", firstDelay, "longer than zero")
                .unless(maxTries >= 0, "reconnect-attempts", maxTries, "at least 0")
                .unless(!keepAlive.isNegative(), "keep-alive", keepAlive, "zero or longer")
                .unless(maxStarts >= 1, "starts-per-minute", maxStarts, "at least 1")
                .throwIfAny();
    }

    /** Reads these keys of a server's section; those that are absent keep their default. */
    public static ReconnectSettings from(Settings settings) {
        var firstDelay = settings.duration("reconnect-backoff", "reconnectBackoffMs", DEFAULTS.firstDelay);
        var maxTries = settings.integer(settings.either("reconnect-attempts", "reconnectAttempts"), DEFAULTS.maxTries);
        var keepAlive = settings.duration("keep-alive", "keepAliveMs", DEFAULTS.keepAlive);
        var maxStarts = settings.integer("starts-per-minute", DEFAULTS.maxStarts);
        // Every one of them, so that all mistakes are told together.
        var isRight = Stream.of(
                        check(
                                settings,
                                firstDelay.compareTo(Duration.ZERO) > 0,
                                "reconnect-backoff",
                                "reconnectBackoffMs",
                                "longer than zero"),
                        check(settings, maxTries >= 0, "reconnect-attempts", "reconnectAttempts", "at least 0"),
                        check(settings, !keepAlive.isNegative(), "keep-alive", "keepAliveMs", "zero or longer"),
                        check(settings, maxStarts >= 1, "starts-per-minute", "starts-per-minute", "at least 1"))
                .allMatch(holds -> holds);
        return isRight ? new ReconnectSettings(firstDelay, maxTries, keepAlive, maxStarts) : DEFAULTS;
    }

    private static boolean check(Settings settings, boolean holds, String key, String otherKey, String rule) {
        if (!holds) {
            settings.reject(settings.either(key, otherKey), rule);
        }
        return holds;
    }

    /** The pause behind so many tries. */
    public Duration delay(int tries) {
        var doubled = firstDelay.multipliedBy(1L << Math.min(tries, DOUBLINGS));
        return doubled.compareTo(LONGEST_DELAY) < 0 ? doubled : longest();
    }

    /** That pause and up to half of it more, by chance, but no longer than {@link #LONGEST_DELAY}. */
    public Duration delay(int tries, RandomGenerator random) {
        var least = delay(tries);
        var more = least.plusNanos(random.nextLong(least.toNanos() / 2 + 1));
        return more.compareTo(longest()) < 0 ? more : longest();
    }

    private Duration longest() {
        return firstDelay.compareTo(LONGEST_DELAY) < 0 ? LONGEST_DELAY : firstDelay;
    }
}
