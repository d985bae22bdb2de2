package io.mcpbridge.retry.limit;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;

/**
 * The settings of the rate limit of one server.
 *
 * @param server the rate of all users together
 * @param principal the rate of each user
 * @param queue how many calls may wait; 0 or more
 */
public record RateLimitSettings(Rate server, Rate principal, int queue) {

    public static final RateLimitSettings DEFAULTS = new RateLimitSettings(Rate.UNLIMITED, Rate.UNLIMITED, 1024);

    public RateLimitSettings {
        new MistakeCollector()
                .unless(queue >= 0 && queue <= 1_000_000, "queue", queue, "between 0 and 1000000")
                .throwIfAny();
    }

    /**
     * Reads a {@code rate-limit} section: {@code per-second} and {@code burst}, the same within {@code principal}, and
     * {@code queue}; a key that is absent keeps its default.
     *
     * @throws ConfigurationException with every mistake in the section
     */
    public static RateLimitSettings from(Settings settings) {
        settings.ignore("per-second", "burst");
        var section = settings.section("principal");
        var principal = settings.noting(() -> Rate.ofUser(section), Rate.UNLIMITED);
        var isForAll = settings.has("per-second") || settings.has("burst");
        var server = isForAll ? settings.noting(() -> Rate.from(settings), Rate.UNLIMITED) : Rate.UNLIMITED;
        if (!isForAll && section.keys().isEmpty()) {
            settings.reject(
                    "per-second", "set to a number such as 50, here or in 'principal', or the section limits nothing");
        }
        var queue = settings.integer("queue", DEFAULTS.queue);
        return settings.finish(() -> new RateLimitSettings(server, principal, queue));
    }

    /**
     * A rate of calls.
     *
     * @param perSecond calls per second, more than zero; {@link Double#POSITIVE_INFINITY} for no limit
     * @param burst how many calls may begin at once after a pause; at least 1
     */
    public record Rate(double perSecond, int burst) {

        public static final Rate UNLIMITED = new Rate(Double.POSITIVE_INFINITY, 1);

        public Rate {
            new MistakeCollector()
                    .unless(perSecond >= 0.001, "per-second", perSecond, "at least 0.001")
                    .unless(burst >= 1, "burst", burst, "at least 1")
                    .throwIfAny();
        }

        boolean isLimited() {
            return perSecond < Double.POSITIVE_INFINITY;
        }

        private static Rate ofUser(Settings section) {
            if (section.keys().isEmpty()) {
                return UNLIMITED;
            }
            var rate = section.noting(() -> from(section), UNLIMITED);
            return section.finish(() -> rate);
        }

        /** Without a burst, as many calls may begin at once as in a second. */
        private static Rate from(Settings settings) {
            if (!settings.has("per-second")) {
                settings.reject("per-second", "set to a number such as 50");
            }
            var perSecond = settings.number("per-second", 1);
            var burst = settings.integer("burst", (int) Math.max(1, Math.min(Integer.MAX_VALUE, perSecond)));
            return new Rate(perSecond, burst);
        }
    }
}
