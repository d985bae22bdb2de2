package io.mcpbridge.cli;

import io.mcpbridge.audit.file.FileAuditSettings;
import io.mcpbridge.config.BridgeConfiguration;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Settings;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that select the audit trail of a subcommand. */
final class TrailOptions {
    private static final String SINK = "file";

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "The folder of the trail; else that of the configuration, else the default one.")
    private @Nullable Path folder;

    @Mixin
    private ConfigurationOption configuration;

    Path folder() {
        return settings(null).path();
    }

    /**
     * The trail in the named folder, else the trail of the configuration, else the default one.
     *
     * @param argument the folder, if it is given as an argument instead of the option
     * @throws ConfigurationException if both argument and option name a folder
     */
    FileAuditSettings settings(@Nullable Path argument) {
        if (argument != null && folder != null) {
            throw ConfigurationException.of(
                    "the folder is '%s' and '--dir' is '%s'; name it once".formatted(argument, folder));
        }
        var named = argument == null ? folder : argument;
        return named != null
                ? FileAuditSettings.in(named)
                : configuration.find().map(TrailOptions::configured).orElseGet(() -> read(Settings.of(Map.of())));
    }

    private static FileAuditSettings configured(Path file) {
        var audit = BridgeConfiguration.readAudit(file, System.getenv());
        var sink = audit.text("sink", SINK);
        if (!sink.equals(SINK)) {
            throw ConfigurationException.of(
                    "'%s' chooses the audit sink '%s', and only trails of the sink '%s' can be read here: name the folder of one"
                            .formatted(file, sink, SINK));
        }
        return read(audit);
    }

    private static FileAuditSettings read(Settings audit) {
        return FileAuditSettings.from(audit.allowUnknownKeys(), System.getenv());
    }
}
