package io.mcpbridge.cli;

import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ConfigurationException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The configuration file of a subcommand. */
final class ConfigurationOption {

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration file; else mcp-bridge/mcp.json in the user's configuration folder.")
    private @Nullable Path file;

    ConfigurationOption() {}

    ConfigurationOption(Path file) {
        this.file = file;
    }

    /** The file, if it was named, the default file exists, or variables name servers. */
    Optional<Path> find() {
        if (file != null) {
            if (Files.notExists(file)) {
                throw ConfigurationException.of(
                        "there is no configuration '%s', which --config names; create it or name another file"
                                .formatted(file));
            }
            return Optional.of(file);
        }
        return BridgeConfiguration.findDefault(System.getenv());
    }

    /** The file; fails if there is none. */
    Path path() {
        return find().orElseThrow(() -> ConfigurationException.of(
                "there is no configuration file '%s'; write one, name another with --config, or try 'mcp-bridge demo'"
                        .formatted(BridgeConfiguration.defaultFile(System.getenv()))));
    }
}
