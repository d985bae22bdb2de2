package io.mcpbridge.telemetry;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;

/**
 * What is told to OpenTelemetry.
 *
 * @param spans whether calls become spans; off where something else makes them, such as an agent in the JVM. Metrics are
 *     kept and the context is passed on all the same
 */
public record TelemetrySettings(Spans spans) {

    public static final TelemetrySettings DEFAULTS = new TelemetrySettings(Spans.AUTO);

    /** Whether calls become spans. */
    public enum Spans {
        AUTO,
        OFF
    }

    /**
     * Reads a {@code telemetry} section; a key that is absent keeps its default.
     *
     * @throws ConfigurationException with every mistake in the section
     */
    public static TelemetrySettings from(Settings settings) {
        var spans = settings.text("spans", "auto");
        if (!spans.equals("auto") && !spans.equals("off")) {
            settings.reject("spans", "'auto' or 'off'");
        }
        return settings.finish(() -> new TelemetrySettings(spans.equals("off") ? Spans.OFF : Spans.AUTO));
    }
}
