package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.otel.MirrorSetting;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordSettings;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;

/** Provides {@code jdbc}: an audit trail in PostgreSQL or SQLite. */
public final class JdbcAuditSinkProvider implements AuditSinkProvider {

    @Override
    public Id id() {
        return new Id("jdbc", SPI_VERSION);
    }

    @Override
    public AuditSink open(Settings settings, Environment environment) {
        var mirror = MirrorSetting.of(settings);
        var records = AuditRecords.of(settings, environment);
        var read = JdbcAuditSettings.from(settings);
        var sink = JdbcAuditSinks.of(ConnectionSource.of(read), read.trail(), records, environment);
        return mirror.beside(sink, records, environment);
    }

    @Override
    public void check(Settings settings) {
        var unusedMirror = MirrorSetting.of(settings);
        var unusedRecords = RecordSettings.from(settings);
        var unused = ConnectionSource.of(JdbcAuditSettings.from(settings));
    }
}
