package io.mcpbridge.catalog.check;

import io.mcpbridge.spi.Settings;

/**
 * The settings of the schema check: which values it checks.
 *
 * @param arguments whether a call whose arguments break the input schema is rejected before it is sent
 * @param results whether a structured result that breaks the output schema is an error of the server
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
