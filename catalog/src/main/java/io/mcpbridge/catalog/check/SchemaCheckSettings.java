package io.mcpbridge.catalog.check;

import io.mcpbridge.spi.Settings;

/**
 * What is checked.
 *
 * @param arguments whether arguments that break a tool's input schema are refused before anything is sent
 * @param results whether a structured result that breaks a tool's output schema is told as the server's mistake
 */
public record SchemaCheckSettings(boolean arguments, boolean results) {
    public static final SchemaCheckSettings DEFAULTS = new SchemaCheckSettings(true, true);

    /** Reads a {@code schema-check} section; a key that is absent keeps its default. */
    public static SchemaCheckSettings from(Settings settings) {
        var arguments = settings.flag("arguments", DEFAULTS.arguments);
        var results = settings.flag("results", DEFAULTS.results);
        return settings.finish(() -> new SchemaCheckSettings(arguments, results));
    }
}
