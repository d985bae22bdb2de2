package io.mcpbridge.cli;

import io.mcpbridge.audit.file.FileAuditSettings;
import io.mcpbridge.config.BridgeConfiguration;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which audit trail a subcommand reads. */
final class TrailOption {

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "The folder of the trail; else that of the configuration, else the default one.")
    private @Nullable Path folder;

    @Mixin
    private ConfigurationOption configuration;

    /** The folder that was named, else that of the configuration. */
    Path folder() {
        return folder == null ? settings().path() : folder;
    }

    /** What the configuration says of the trail, or what holds without one. */
    FileAuditSettings settings() {
        var named = folder;
        if (named != null) {
            return FileAuditSettings.in(named);
        }
        return configuration
                .find()
                .map(file -> BridgeConfiguration.read(file, System.getenv()).bridge().plugIns().audit())
                .map(audit -> FileAuditSettings.from(audit, System.getenv()))
                .orElseGet(() -> FileAuditSettings.in(FileAuditSettings.defaultPath(System.getenv())));
    }
}
