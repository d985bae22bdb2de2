package io.mcpbridge.audit.file;

import io.mcpbridge.audit.internal.QueuedAuditSink;
import io.mcpbridge.audit.internal.RecordQueue;
import io.mcpbridge.audit.otel.MirrorSetting;
import io.mcpbridge.audit.record.AuditRecords;
import io.mcpbridge.audit.record.RecordSettings;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.files.OwnUser;
import io.mcpbridge.files.PrivateFile;
import io.mcpbridge.files.PrivateFolder;
import io.mcpbridge.files.ProcessLock;
import io.mcpbridge.files.UserFolders;
import io.mcpbridge.spi.AuditSink;
import io.mcpbridge.spi.AuditSinkProvider;
import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * Provides {@code file}: a trail of hash-chained records in segment files. The folder and its files are accessible to
 * our user only.
 *
 * <p>The hash of each record covers the one before, and signed checkpoints cover the chain, so that
 * {@link io.mcpbridge.audit.verify.AuditVerifier} finds what was changed or removed.
 */
public final class FileAuditSinkProvider implements AuditSinkProvider {
    private static final String LOCK = "lock";

    @Override
    public Id id() {
        return new Id("file", SPI_VERSION);
    }

    @Override
    public AuditSink open(Settings settings, Environment environment) {
        var mirror = MirrorSetting.of(settings);
        var path = FileAuditSettings.path(settings, environment.variables());
        requireUsable(path);
        var records = AuditRecords.of(settings, environment, FileAuditSettings.redactionKey(path));
        var read = FileAuditSettings.from(settings, environment.variables());
        requireKeysApart(read, RecordSettings.from(settings), environment.variables());
        var sink = open(read, records, environment, TrailFileSystem.ofTheSystem());
        return mirror.beside(sink, records, environment);
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
            settings.requireApart(UserFolders.resolve(key, variables));
        }
    }

    /**
     * Checks the folder; if it is missing, checks its parent.
     *
     * @throws ConfigurationException if a trail cannot be kept there
     */
    static void requireUsable(Path path) {
        try {
            folder(path, OwnUser.ofThisProcess()).check();
        } catch (IOException e) {
            throw unusable(path, e);
        }
    }

    /**
     * Opens the trail in the folder, which {@link #requireUsable} has checked, or creates one.
     *
     * @throws ConfigurationException if the folder or the key cannot be used, or another writer has the folder
     */
    static AuditSink open(
            FileAuditSettings settings, AuditRecords records, Environment environment, TrailFileSystem disk) {
        try {
            var own = OwnUser.ofThisProcess();
            // All checks come before the first file is created, so that a failed start leaves no files.
            TrustedCheckpoints.requireKey(settings);
            SigningKey.check(settings.key(), own);
            var missing = TrustedCheckpoints.missing(settings);
            folder(settings.path(), own).prepare();
            var lock = claim(settings.path(), own);
            try {
                var key = SigningKey.readOrMake(settings.key(), disk, own);
                var health = new StoreHealth(settings.path(), environment.logger(), environment.timekeeper());
                var context = new FileTrailStore.Context(
                        settings, disk, lock, records, key, environment.timekeeper(), environment.logger(), health);
                var recovery = new TrailRecovery(context, tighten(settings.path(), own), missing);
                var queue = new RecordQueue(
                        environment, records, "the disk of '%s' is too slow".formatted(settings.path()));
                var store = recovery.open(queue::poke);
                return new QueuedAuditSink("mcp-bridge-audit", queue, records, store, environment).start();
            } catch (IOException | RuntimeException | Error e) {
                lock.close();
                throw e;
            }
        } catch (IOException e) {
            throw unusable(settings.path(), e);
        }
    }

    private static PrivateFolder folder(Path path, OwnUser own) {
        return PrivateFolder.of(path, "the folder of the audit trail", own);
    }

    private static ProcessLock claim(Path path, OwnUser own) throws IOException {
        return ProcessLock.take(
                path.resolve(LOCK),
                "the lock of the audit trail",
                own,
                pid -> ConfigurationException.of(
                        "the audit trail in '%s' is being written by process %s; stop it, or choose another 'path'"
                                .formatted(path, pid)));
    }

    /**
     * Checks the files and removes the permission of other users to read them. Others could not write, so the contents
     * are still ours.
     *
     * @return the former permissions of the files that others could read, by file name
     */
    private static Map<String, String> tighten(Path path, OwnUser own) throws IOException {
        var tightened = new TreeMap<String, String>();
        folder(path, own).tighten().ifPresent(rights -> tightened.put(".", rights));
        try (var files = Files.list(path)) {
            for (var file : files.toList()) {
                PrivateFile.check(file, "a file of the audit trail", own)
                        .tighten()
                        .ifPresent(rights -> tightened.put(String.valueOf(file.getFileName()), rights));
            }
        }
        return tightened;
    }

    private static ConfigurationException unusable(Path path, IOException why) {
        return ConfigurationException.of(
                "the audit trail cannot be kept in '%s': %s; correct that or choose another 'path'"
                        .formatted(path, why));
    }
}
