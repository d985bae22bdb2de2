package io.mcpbridge.retry.limit;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;

/**
 * The settings of the concurrency limit of one server.
 *
 * @param max how many attempts may be in progress at once; at least 1
 * @param queue how many attempts may wait; 0 or more
 */
public record ConcurrencySettings(int max, int queue) {

    public static final ConcurrencySettings DEFAULTS = new ConcurrencySettings(8, 1024);

    private static final int MOST = 1_000_000;

    public ConcurrencySettings {
        new MistakeCollector()
                .unless(max >= 1 && max <= MOST, "max", max, "between 1 and 1000000")
                .unless(queue >= 0 && queue <= MOST, "queue", queue, "between 0 and 1000000")
                .throwIfAny();
    }

    /**
     * Reads a {@code concurrency} section; a key that is absent keeps its default.
     *
     * @throws ConfigurationException with every mistake in the section
     */
    public static ConcurrencySettings from(Settings settings) {
        var max = settings.integer("max", DEFAULTS.max);
        var queue = settings.integer("queue", DEFAULTS.queue);
        return settings.finish(() -> new ConcurrencySettings(max, queue));
    }
}
