package io.mcpbridge.cli;

import io.mcpbridge.audit.file.FileAuditSettings;
import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which audit trail a subcommand reads. */
final class TrailOptions {

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "The folder of the trail; else that of the configuration, else the default one.")
    private @Nullable Path folder;

    @Mixin
    private ConfigurationOption configuration;

    Path folder() {
        return settings().path();
    }

    FileAuditSettings settings() {
        return TrailLocator.of(folder, configuration);
    }

    /**
     * The same, where the folder may be named in another way too.
     *
     * @throws ConfigurationException if it is named in both
     */
    FileAuditSettings settings(@Nullable Path argument) {
        if (argument == null) {
            return settings();
        }
        if (folder != null) {
            throw ConfigurationException.of(
                    "the folder is '%s' and '--dir' is '%s'; name it once".formatted(argument, folder));
        }
        return TrailLocator.of(argument, configuration);
    }
}
