package io.mcpbridge.gateway;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.process.PlainProcessLauncher;
import io.mcpbridge.spi.Confinement;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.ProcessLauncherProvider;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Which launcher the configuration wants.
 *
 * @param level what the section requires; empty where it requires nothing
 * @param opening opens the launcher
 */
record SandboxChoice(Optional<SandboxLevel> level, Supplier<ProcessLauncher> opening) {
    private static final String NAME = "sandbox";

    /**
     * Reads the section to its last key and tries nothing. Without the module children are plain processes.
     *
     * @throws ConfigurationException with every mistake in it, or if it requires what takes the module
     */
    static SandboxChoice of(Settings section) {
        var level = Confinement.from(section).level();
        var found = Providers.of(ProcessLauncherProvider.class);
        if (found.names().contains(NAME)) {
            var provider = found.named(NAME);
            provider.check(section);
            return new SandboxChoice(level, () -> provider.open(section, PlainProcessLauncher.apart()));
        }
        level.filter(required -> required != SandboxLevel.L0).ifPresent(required -> {
            section.reject("level", "'auto' or 'L0' without the artifact io.mcpbridge:mcp-bridge-sandbox; add it");
            section.finish(() -> required);
        });
        return new SandboxChoice(level, PlainProcessLauncher::apart);
    }

    /**
     * Opens the launcher, which tries what this machine can do.
     *
     * @throws ConfigurationException if the level that is required is not to be had
     */
    ProcessLauncher open() {
        return opening.get();
    }

    /**
     * Accepts a launcher that the program hands in.
     *
     * @throws ConfigurationException if it cannot hold children as is required
     */
    void require(ProcessLauncher handedIn) {
        level.flatMap(handedIn::missing).ifPresent(why -> {
            throw ConfigurationException.of(
                    "'level' of 'sandbox' requires more than the environment of the program has: %s".formatted(why));
        });
    }
}
