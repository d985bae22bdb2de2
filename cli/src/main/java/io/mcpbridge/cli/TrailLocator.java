package io.mcpbridge.cli;

import io.mcpbridge.audit.file.FileAuditSettings;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Finds the audit trail that a subcommand reads. */
final class TrailLocator {
    private static final String FILE = "file";

    private TrailLocator() {}

    /** Those of the trail in a folder, or of the one that the configuration says, or of the default one. */
    static FileAuditSettings of(@Nullable Path folder, ConfigurationOption configuration) {
        if (folder != null) {
            return FileAuditSettings.in(folder);
        }
        return configuration.find().map(TrailLocator::configured).orElseGet(() -> read(Settings.of(Map.of())));
    }

    private static FileAuditSettings configured(Path file) {
        var audit = BridgeConfiguration.readAudit(file, System.getenv());
        var sink = audit.text("sink", FILE);
        if (!sink.equals(FILE)) {
            throw ConfigurationException.of(
                    "'%s' chooses the audit sink '%s', and only trails of the sink '%s' can be read here: name the folder of one"
                            .formatted(file, sink, FILE));
        }
        return read(audit);
    }

    private static FileAuditSettings read(Settings audit) {
        return FileAuditSettings.from(audit.allowUnknownKeys(), System.getenv());
    }
}
