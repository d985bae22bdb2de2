package io.mcpbridge.process;

import io.mcpbridge.discovery.Providers;
import io.mcpbridge.failure.ConfigurationException;
import io.mcpbridge.spi.Confinement;
import io.mcpbridge.spi.ProcessLauncher;
import io.mcpbridge.spi.ProcessLauncherProvider;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.spi.Settings;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Which launcher the section {@code sandbox} of a bridge wants: that of the module {@code sandbox} where it is there. For
 * the daemon, for commands that start servers themselves, and for programs whose configuration asks for it.
 */
public final class SandboxChoice {
    private static final String NAME = "sandbox";

    private final Optional<SandboxLevel> level;
    private final UnaryOperator<ProcessLauncher> opening;

    private SandboxChoice(Optional<SandboxLevel> level, UnaryOperator<ProcessLauncher> opening) {
        this.level = level;
        this.opening = opening;
    }

    /**
     * Reads the section to its last key and tries nothing. Without the module children are plain processes.
     *
     * @throws ConfigurationException with every mistake in it, or if it requires what takes the module
     */
    public static SandboxChoice of(Settings section) {
        var level = Confinement.from(section).level();
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
     * Opens the launcher, which tries what this machine can do; the caller closes it.
     *
     * @param plain starts the processes; closed with the launcher, and where this fails
     * @throws ConfigurationException if the level that is required is not to be had
     */
    public ProcessLauncher open(ProcessLauncher plain) {
        return opening.apply(plain);
    }

    /**
     * Accepts a launcher that the program hands in.
     *
     * @throws ConfigurationException if it cannot hold children as is required
     */
    public void require(ProcessLauncher handedIn) {
        level.flatMap(handedIn::missing).ifPresent(why -> {
            throw ConfigurationException.of(
                    "'level' of 'sandbox' requires more than the environment of the program has: %s".formatted(why));
        });
    }
}
