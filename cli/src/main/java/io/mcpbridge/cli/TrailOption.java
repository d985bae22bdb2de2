package io.mcpbridge.cli;

import java.nio.file.Path;
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

    Path folder() {
        return TrailSettings.of(folder, configuration).path();
    }
}
