package io.mcpbridge.audit.jdbc;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;

/** Provides {@code jdbc}: an audit trail in PostgreSQL or SQLite. */
public final class JdbcAuditSinkProvider implements AuditSinkProvider {

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public AuditSink open(Settings settings, Environment environment) {
        var records = AuditRecords.of(settings, environment);
        var read = JdbcAuditSettings.from(settings);
        return JdbcAuditSink.open(Connector.of(read), read.trail(), records, environment);
    }
}
