package io.mcpbridge.config;

import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;
import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * The settings for detecting a lost server and reconnecting in the background. A call right
 * after the loss fails at once.
 *
 * @param firstDelay pause before the first attempt; later pauses double, up to {@link #LONGEST_DELAY}; no call connects
 *     within it; also the shortest time between two starts of a process
 * @param maxTries attempts in the background; with 0, only calls connect
 * @param jitter the most that a pause is longer at random, as a share of the pause: from 0 to 1. Servers that are lost
 *     together are then not connected at the same moment
 * @param keepAlive silence of the server before a ping; 0 for no pings
 */
public record ReconnectSettings(Duration firstDelay, int maxTries, double jitter, Duration keepAlive) {

    /** The longest pause, unless {@code firstDelay} is longer. */
    public static final Duration LONGEST_DELAY = Duration.ofSeconds(30);

    /** Ten attempts, the first after one second, without jitter; a ping after 30 s. */
    public static final ReconnectSettings DEFAULTS =
            new ReconnectSettings(Duration.ofSeconds(1), 10, 0, Duration.ofSeconds(30));

    private static final int DOUBLINGS = 30;
    private static final String JITTER_RULE = "from 0 to 1";

    public ReconnectSettings {
        new MistakeCollector()
                .unless(firstDelay.compareTo(Duration.ZERO) > 0, "reconnect-backoff", firstDelay, "longer than zero")
                .unless(maxTries >= 0, "reconnect-attempts", maxTries, "at least 0")
                .unless(isShare(jitter), "reconnect-jitter", jitter, JITTER_RULE)
                .unless(!keepAlive.isNegative(), "keep-alive", keepAlive, "zero or longer")
                .throwIfAny();
    }

    /** Reads the keys of a server's section; absent keys keep their default. */
    public static ReconnectSettings from(Settings settings) {
        var firstDelay = settings.duration("reconnect-backoff", "reconnectBackoffMs", DEFAULTS.firstDelay);
        var maxTries = settings.integer(settings.either("reconnect-attempts", "reconnectAttempts"), DEFAULTS.maxTries);
        var jitter = settings.number(settings.either("reconnect-jitter", "reconnectJitter"), DEFAULTS.jitter);
        var keepAlive = settings.duration("keep-alive", "keepAliveMs", DEFAULTS.keepAlive);
        // Checks all of them, so that all mistakes are reported together.
        var isRight = Stream.of(
                        settings.require(
                                firstDelay.compareTo(Duration.ZERO) > 0, "reconnect-backoff", "longer than zero"),
                        settings.require(maxTries >= 0, "reconnect-attempts", "at least 0"),
                        settings.require(isShare(jitter), "reconnect-jitter", JITTER_RULE),
                        settings.require(!keepAlive.isNegative(), "keep-alive", "zero or longer"))
                .allMatch(holds -> holds);
        return isRight ? new ReconnectSettings(firstDelay, maxTries, jitter, keepAlive) : DEFAULTS;
    }

    private static boolean isShare(double jitter) {
        return jitter >= 0 && jitter <= 1;
    }

    /** Returns the pause after a number of attempts, with its jitter. */
    public Duration delay(int tries, RandomGenerator random) {
        var longest = firstDelay.compareTo(LONGEST_DELAY) < 0 ? LONGEST_DELAY : firstDelay;
        var doubled = firstDelay.multipliedBy(1L << Math.min(tries, DOUBLINGS));
        var added = jitter == 0 ? 0 : (long) (doubled.toMillis() * jitter * random.nextDouble());
        var pause = doubled.plusMillis(added);
        return pause.compareTo(longest) < 0 ? pause : longest;
    }
}
