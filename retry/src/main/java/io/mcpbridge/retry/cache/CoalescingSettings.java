package io.mcpbridge.retry.cache;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Refusals;
import io.mcpbridge.spi.Settings;

/**
 * How many calls may become one.
 *
 * @param maxCalls so many at the most; what is one more goes its own way; at least 2
 */
public record CoalescingSettings(int maxCalls) {

    public static final CoalescingSettings DEFAULTS = new CoalescingSettings(1024);

    public CoalescingSettings {
        new Refusals()
                .unless(maxCalls >= 2, "max-calls", maxCalls, "at least 2")
                .throwIfAny();
    }

    /**
     * Reads a {@code coalescing} section; a key that is absent keeps its default.
     *
     * @throws ConfigurationException with every mistake in the section
     */
    public static CoalescingSettings from(Settings settings) {
        var maxCalls = settings.integer("max-calls", DEFAULTS.maxCalls);
        return settings.finish(() -> new CoalescingSettings(maxCalls));
    }
}
