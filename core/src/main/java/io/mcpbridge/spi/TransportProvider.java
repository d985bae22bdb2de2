package io.mcpbridge.spi;

import java.util.Optional;
import java.util.Set;

/** Makes transports of one kind, such as {@code stdio}, {@code http} or {@code unix}. */
public interface TransportProvider extends Provider {

    /** The URI schemes it serves, such as {@code http} and {@code https}. */
    Set<String> schemes();

    /**
     * Makes a transport that is not open yet; the caller opens and closes it.
     *
     * @param settings the server's section of the configuration
     * @throws io.mcpbridge.failure.ConfigurationException if settings are missing or wrong
     */
    Transport create(Settings settings, Environment environment);

    /**
     * The sandbox level of the server's process; empty if it is no child of the bridge. Opens nothing.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if settings are missing or wrong, or the launcher of the
     *     environment would refuse the process
     */
    default Optional<SandboxLevel> sandbox(Settings settings, Environment environment) {
        return Optional.empty();
    }
}
