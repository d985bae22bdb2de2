package io.mcpbridge.engine;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.ProcessLauncherProvider;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.SandboxSettings;
import io.mcpbridge.spi.Settings;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Selects the launcher for the section {@code sandbox} of a bridge: that of the module {@code sandbox}, if it is
 * present. Used by the daemon, by commands that start servers themselves, and by programs whose configuration has the
 * section.
 *
 * @param level the required level; empty if the launcher chooses
 * @param opening wraps a launcher of plain processes
 */
public record SandboxChoice(Optional<SandboxLevel> level, UnaryOperator<ProcessLauncher> opening) {
    private static final String NAME = "sandbox";

    /**
     * Reads the whole section, without probing the machine. Without the module, children are plain processes.
     *
     * @throws ConfigurationException with all mistakes in the section, or if it requires a level that needs the module
     */
    public static SandboxChoice of(Settings section) {
        var level = SandboxSettings.from(section).level();
        var found = Providers.of(ProcessLauncherProvider.class);
        if (found.names().contains(NAME)) {
            var provider = found.named(NAME);
            provider.check(section);
            return new SandboxChoice(level, plain -> provider.open(section, plain));
        }
        level.filter(required -> required != SandboxLevel.L0).ifPresent(required -> {
            section.reject("level", "'auto' or 'L0' without the artifact io.mcpbridge:mcp-bridge-sandbox; add it");
            section.finish(() -> required);
        });
        return new SandboxChoice(level, plain -> plain);
    }

    /**
     * Opens the launcher, which probes the machine; the caller closes it.
     *
     * @param plain starts the processes; closed with the launcher, and if this method fails
     * @throws ConfigurationException if the required level is not available
     */
    public ProcessLauncher open(ProcessLauncher plain) {
        return opening.apply(plain);
    }

    /**
     * Checks a launcher that the program passes in.
     *
     * @throws ConfigurationException if it cannot provide the required level
     */
    public void require(ProcessLauncher launcher) {
        level.flatMap(launcher::missing).ifPresent(why -> {
            throw ConfigurationException.of(
                    "'level' of 'sandbox' requires more than the launcher of the program provides: %s".formatted(why));
        });
    }
}
