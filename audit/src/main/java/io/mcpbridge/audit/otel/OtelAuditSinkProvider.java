package io.mcpbridge.audit.otel;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordSettings;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;

/** Provides {@code otel}: audit records as log events of the process-wide OpenTelemetry, on a best effort. */
public final class OtelAuditSinkProvider implements AuditSinkProvider {

    @Override
    public Id id() {
        return new Id("otel", SPI_VERSION);
    }

    @Override
    public AuditSink open(Settings settings, Environment environment) {
        settings.ignore("sink");
        requireBestEffort(settings);
        var records = AuditRecords.of(settings, environment);
        return settings.finish(() -> open(records, environment));
    }

    /**
     * Opens a mirror of another sink.
     *
     * @param kept makes the records of that sink
     */
    public static AuditSink mirror(Settings settings, AuditRecords kept, Environment environment) {
        var records = kept.mirrored(settings, environment);
        return settings.finish(() -> open(records, environment));
    }

    @Override
    public void check(Settings settings) {
        settings.ignore("sink");
        requireBestEffort(settings);
        var records = RecordSettings.from(settings);
        var unused = settings.finish(() -> records);
    }

    private static void requireBestEffort(Settings settings) {
        var mode = settings.text("mode", "best-effort");
        if (!mode.equals("best-effort") && !mode.equals("off")) {
            settings.reject(
                    "mode",
                    "'best-effort' or 'off' with the sink 'otel', which may lose records; for more choose the"
                            + " sink 'file' or 'jdbc' with \"mirror\": \"otel\"");
        }
    }

    private static AuditSink open(AuditRecords records, Environment environment) {
        try {
            return OtelAuditSinks.ofProcess(records, environment);
        } catch (NoClassDefFoundError e) {
            throw ConfigurationException.of(
                    "the audit sink 'otel' needs OpenTelemetry; add io.opentelemetry:opentelemetry-api to the class"
                            + " path");
        }
    }
}
