package io.mcpbridge.audit.otel;

import io.mcpbridge.audit.internal.Backlog;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.Completion;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.ToolDenied;
import io.mcpbridge.spi.ToolEnter;
import io.mcpbridge.spi.ToolExit;
import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.OpenTelemetry;
import java.time.Duration;

/**
 * Tells OpenTelemetry of each record as a log event. Any thread may use it; only {@link #close} waits.
 *
 * <p>A completion is told when the event has been handed over. What becomes of it then nobody knows: exporters leave
 * events out when they are behind, so this is a mirror for those who watch, and no proof.
 */
public final class OtelAuditSink implements AuditSink {
    private static final Duration END_OF_WRITER = Duration.ofSeconds(2);

    private final Backlog backlog;
    private final Thread writer;

    private OtelAuditSink(Backlog backlog, LogWriter writer) {
        this.backlog = backlog;
        this.writer = new Thread(writer, "mcp-bridge-audit-otel");
        this.writer.setDaemon(true);
        this.writer.start();
    }

    /**
     * Tells this OpenTelemetry.
     *
     * @param records makes the records; no other sink may use it
     */
    public static OtelAuditSink of(OpenTelemetry telemetry, AuditRecords records, Environment environment) {
        records.keepKey();
        var backlog = new Backlog(environment);
        return new OtelAuditSink(backlog, new LogWriter(backlog, records, new LogEvents(telemetry), environment));
    }

    /** Tells the OpenTelemetry of the whole process. */
    static OtelAuditSink ofProcess(AuditRecords records, Environment environment) {
        return of(GlobalOpenTelemetry.get(), records, environment);
    }

    @Override
    public void enter(ToolEnter event, Completion durable) {
        backlog.enter(event, durable);
    }

    @Override
    public void exit(ToolExit event, Completion durable) {
        backlog.exit(event, durable);
    }

    @Override
    public void denied(ToolDenied event) {
        backlog.denied(event);
    }

    @Override
    public void note(AuditNote note) {
        backlog.note(note);
    }

    @Override
    public Durability durability() {
        return Durability.NONE;
    }

    /** Hands over what waits, and ends; flushing exporters is for whoever made them. */
    @Override
    public void close() {
        backlog.close();
        try {
            writer.join(END_OF_WRITER.toMillis());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        writer.interrupt();
    }
}
