package io.mcpbridge.cli;

import io.mcpbridge.config.BridgeConfiguration;
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

    /** The folder that was named, else that of the configuration. */
    Path folder() {
        return folder == null ? usual() : folder;
    }

    private Path usual() {
        return configuration
                .find()
                .flatMap(file -> BridgeConfiguration.read(file, System.getenv())
                        .bridge()
                        .plugIns()
                        .audit()
                        .text("path"))
                .map(Path::of)
                .orElseGet(() -> Path.of(System.getProperty("user.home"), ".local", "state", "mcp-bridge", "audit"));
    }
}
