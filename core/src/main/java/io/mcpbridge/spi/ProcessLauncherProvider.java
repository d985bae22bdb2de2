package io.mcpbridge.spi;

/** Makes launchers that isolate child processes, such as {@code sandbox}. */
public interface ProcessLauncherProvider extends Provider {

    /**
     * Opens a launcher, which the caller closes. Probes the capabilities of this machine, which may take some seconds.
     *
     * @param section the section {@code sandbox} of the bridge
     * @param plain starts the processes; closed with the launcher, and by this method if it fails
     * @throws io.mcpbridge.failure.ConfigurationException if settings are wrong, or require a level that is not
     *     available
     */
    ProcessLauncher open(Settings section, ProcessLauncher plain);

    /**
     * Validates the whole section and probes nothing.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in the section
     */
    void check(Settings section);
}
