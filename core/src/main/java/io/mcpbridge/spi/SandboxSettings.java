package io.mcpbridge.spi;

import java.util.Optional;

/**
 * The settings of the section {@code sandbox} of a server: the level of isolation and the limits of its process.
 *
 * @param level the required level; empty if the launcher chooses
 * @param limits the limits of the process
 */
public record SandboxSettings(Optional<SandboxLevel> level, ProcessLimits limits) {

    /** The settings of a server without such a section. */
    public static final SandboxSettings DEFAULTS = new SandboxSettings(Optional.empty(), ProcessLimits.NONE);

    /**
     * Reads and validates the whole section.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in it
     */
    public static SandboxSettings from(Settings section) {
        var level = SandboxLevel.from(section);
        return new SandboxSettings(level, ProcessLimits.from(section));
    }

    /** A copy of {@code command} with this level and these limits. */
    public LaunchCommand of(LaunchCommand command) {
        var limited = command.within(limits);
        return level.map(limited::requiring).orElse(limited);
    }
}
