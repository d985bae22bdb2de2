package io.mcpbridge.retry;

import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;
import java.time.Duration;

/**
 * A pause that grows from one attempt to the next, up to a bound.
 *
 * @param first the pause after the first attempt; zero to 24 hours
 * @param multiplier each later pause is so many times the last; 1 to 1000
 * @param max the longest pause; at least {@code first}, at most 24 hours
 */
public record GrowingDelay(Duration first, double multiplier, Duration max) {
    static final Duration LONGEST = Duration.ofHours(24);

    private static final String FIRST_RULE = "between 0s and 24h";
    private static final String MULTIPLIER_RULE = "between 1 and 1000";
    private static final String MAX_RULE = "at least 'first-delay' and at most 24h";

    public GrowingDelay {
        new Refusals()
                .unless(isFirst(first), "first-delay", first, FIRST_RULE)
                .unless(isMultiplier(multiplier), "multiplier", multiplier, MULTIPLIER_RULE)
                .unless(isMax(max, first), "max-delay", max, MAX_RULE)
                .throwIfAny();
    }

    /**
     * Reads the keys of a {@code retry} section; mistakes are noted there, an absent key is as in {@code otherwise}.
     */
    static GrowingDelay from(Settings settings, GrowingDelay otherwise) {
        var first = first(settings, otherwise.first);
        var multiplier = multiplier(settings, otherwise.multiplier);
        var isRight = !settings.has("first-delay")
                || settings.duration("first-delay")
                        .filter(GrowingDelay::isFirst)
                        .isPresent();
        var max = max(settings, isRight ? first : Duration.ZERO, longer(first, otherwise.max));
        return new GrowingDelay(first, multiplier, longer(first, max));
    }

    /** The pause after the attempt of this number, which counts from 1. */
    public Duration after(int attempt) {
        var nanos = first.toNanos() * Math.pow(multiplier, attempt - 1.0);
        return Duration.ofNanos((long) Math.min(nanos, (double) max.toNanos()));
    }

    /** The same, but beginning with at least {@code least}. */
    GrowingDelay startingAtLeast(Duration least) {
        var start = longer(first, least);
        return new GrowingDelay(start, multiplier, longer(max, start));
    }

    static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }

    private static Duration first(Settings settings, Duration otherwise) {
        var first = settings.duration("first-delay", otherwise);
        if (isFirst(first)) {
            return first;
        }
        settings.reject("first-delay", FIRST_RULE);
        return otherwise;
    }

    private static double multiplier(Settings settings, double otherwise) {
        var multiplier = settings.number("multiplier", otherwise);
        if (isMultiplier(multiplier)) {
            return multiplier;
        }
        settings.reject("multiplier", MULTIPLIER_RULE);
        return otherwise;
    }

    private static Duration max(Settings settings, Duration first, Duration otherwise) {
        var max = settings.duration("max-delay", otherwise);
        if (isMax(max, first)) {
            return max;
        }
        settings.reject("max-delay", MAX_RULE);
        return otherwise;
    }

    private static boolean isFirst(Duration value) {
        return !value.isNegative() && value.compareTo(LONGEST) <= 0;
    }

    private static boolean isMultiplier(double value) {
        return value >= 1 && value <= 1_000;
    }

    /** A first pause that is wrong itself bounds nothing. */
    private static boolean isMax(Duration value, Duration first) {
        return value.compareTo(isFirst(first) ? first : Duration.ZERO) >= 0 && value.compareTo(LONGEST) <= 0;
    }
}
