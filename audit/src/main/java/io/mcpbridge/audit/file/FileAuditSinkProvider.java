package io.mcpbridge.audit.file;

import io.mcpbridge.audit.mirror.Mirror;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordSettings;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.HomePath;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.util.Map;

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
        var mirror = Mirror.of(settings);
        var path = FileAuditSettings.path(settings, environment.variables());
        FileAuditSink.check(path);
        var records = AuditRecords.of(settings, environment, FileAuditSettings.redactionKey(path));
        var read = FileAuditSettings.from(settings, environment.variables());
        return mirror.beside(FileAuditSink.open(read, records, environment), environment);
    }

    @Override
    public void check(Settings settings) {
        var unusedMirror = Mirror.of(settings);
        var records = RecordSettings.from(settings);
        requireTwoKeys(
                FileAuditSettings.from(settings, Map.of()), records.redaction().key());
    }

    /** The one signs and has a public half, the other hides values: they are of two kinds. */
    private static void requireTwoKeys(FileAuditSettings settings, String redactionKey) {
        var key = settings.key().toAbsolutePath().normalize();
        if (!redactionKey.isEmpty()
                && key.equals(
                        HomePath.of(redactionKey, Map.of()).toAbsolutePath().normalize())) {
            throw ConfigurationException.of(
                    "'key' and 'redact.key' both name '%s', but must be two files: the one signs checkpoints, the other hides values"
                            .formatted(redactionKey));
        }
    }
}
