package io.mcpbridge.telemetry;

import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;

/**
 * The settings of the reports to OpenTelemetry.
 *
 * @param spans whether calls become spans; turn it off if an agent in the JVM creates them. Metrics and context
 *     propagation stay on
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
