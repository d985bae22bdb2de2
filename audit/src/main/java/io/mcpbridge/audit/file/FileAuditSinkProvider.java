package io.mcpbridge.audit.file;

import io.mcpbridge.audit.otel.MirrorSetting;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordSettings;
import io.mcpbridge.files.HomePath;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.util.Map;

/** Provides {@code file}: a trail of hash-chained records in a folder, with signed checkpoints. */
public final class FileAuditSinkProvider implements AuditSinkProvider {

    @Override
    public Id id() {
        return new Id("file", SPI_VERSION);
    }

    @Override
    public AuditSink open(Settings settings, Environment environment) {
        var mirror = MirrorSetting.of(settings);
        var path = FileAuditSettings.path(settings, environment.variables());
        FileAuditSink.check(path);
        var records = AuditRecords.of(settings, environment, FileAuditSettings.redactionKey(path));
        var read = FileAuditSettings.from(settings, environment.variables());
        requireKeysApart(read, RecordSettings.from(settings), environment.variables());
        return mirror.beside(FileAuditSink.open(read, records, environment), records, environment);
    }

    @Override
    public void check(Settings settings) {
        var unusedMirror = MirrorSetting.of(settings);
        var records = RecordSettings.from(settings);
        requireKeysApart(FileAuditSettings.from(settings, Map.of()), records, Map.of());
    }

    private static void requireKeysApart(
            FileAuditSettings settings, RecordSettings records, Map<String, String> variables) {
        var key = records.redaction().key();
        if (!key.isEmpty()) {
            settings.requireApart(HomePath.of(key, variables));
        }
    }
}
