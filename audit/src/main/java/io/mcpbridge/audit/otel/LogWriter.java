package io.mcpbridge.audit.otel;

import io.mcpbridge.audit.internal.Backlog;
import io.mcpbridge.audit.internal.Losses;
import io.mcpbridge.audit.internal.Waiting;
import io.mcpbridge.audit.record.AuditChain;
import io.mcpbridge.audit.record.AuditLine;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.Environment;
import java.lang.System.Logger.Level;

/** The one thread that makes records and hands them over, so that an exporter that waits delays no call. */
final class LogWriter implements Runnable {
    private static final int GROUP = 512;

    private final Backlog backlog;
    private final AuditRecords records;
    private final LogEvents events;
    private final System.Logger logger;
    private final AuditChain chain = AuditChain.start();

    LogWriter(Backlog backlog, AuditRecords records, LogEvents events, Environment environment) {
        this.backlog = backlog;
        this.records = records;
        this.events = events;
        this.logger = environment.logger();
    }

    @Override
    public void run() {
        try {
            for (var next = backlog.take(GROUP); !next.isEmpty(); next = backlog.take(GROUP)) {
                next.forEach(this::write);
                backlog.settled(new Losses());
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        } finally {
            backlog.close();
            var end = Backlog.unavailable("The audit sink ended before the record was handed over.");
            backlog.untold().forEach(each -> each.fail(end, logger));
        }
    }

    private void write(Waiting waiting) {
        try {
            events.emit(AuditLine.parse(chain.append(waiting.body(records))));
            waiting.succeed(logger);
        } catch (RuntimeException | LinkageError defect) {
            logger.log(Level.DEBUG, "[mcp-bridge] an audit event was not handed over", defect);
            waiting.fail(Backlog.unavailable("OpenTelemetry did not take the audit event: " + defect), logger);
        }
    }
}
