package io.mcpbridge.retry.cache;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.MistakeCollector;
import io.mcpbridge.spi.Settings;

/**
 * The settings of request coalescing.
 *
 * @param maxCalls how many calls may share one; further calls pass on their own; at least 2
 */
public record CoalescingSettings(int maxCalls) {

    public static final CoalescingSettings DEFAULTS = new CoalescingSettings(1024);

    public CoalescingSettings {
        new MistakeCollector()
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
