package io.mcpbridge.spi;

import java.util.Optional;

/**
 * How a child is to be held, as the section {@code sandbox} of a server says it.
 *
 * @param level the one that is required; empty where the launcher chooses
 * @param limits what it may use
 */
public record SandboxSettings(Optional<SandboxLevel> level, ProcessLimits limits) {

    /** Of a server that has no such section. */
    public static final SandboxSettings USUAL = new SandboxSettings(Optional.empty(), ProcessLimits.NONE);

    /**
     * Reads the section to its last key.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in it
     */
    public static SandboxSettings from(Settings section) {
        var level = SandboxLevel.from(section);
        return new SandboxSettings(level, ProcessLimits.from(section));
    }

    /** The command, held like this. */
    public LaunchCommand of(LaunchCommand command) {
        var limited = command.within(limits);
        return level.map(limited::requiring).orElse(limited);
    }
}
