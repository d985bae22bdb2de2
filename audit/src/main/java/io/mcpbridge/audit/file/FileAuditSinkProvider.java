package io.mcpbridge.audit.file;

import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;

/** Provides {@code file}: a trail of hash-chained records in a folder, with signed checkpoints. */
public final class FileAuditSinkProvider implements AuditSinkProvider {

    @Override
    public String name() {
        return "file";
    }

    @Override
    public int spiVersion() {
        return SPI_VERSION;
    }

    @Override
    public AuditSink open(Settings settings, Environment environment) {
        settings.ignore("sink");
        var file = FileAuditSettings.from(settings, environment.variables());
        var records = AuditRecords.of(settings, environment, file.redactionKey());
        return FileAuditSink.open(settings.finish(() -> file), records, environment);
    }
}
