package io.mcpbridge.spi;

/** Makes launchers that hold children firmer than plain processes, such as {@code sandbox}. */
public interface ProcessLauncherProvider extends Provider {

    /**
     * Opens a launcher, which the caller closes. Finds out what this machine can do by trying it, which may take some
     * seconds.
     *
     * @param section the section {@code sandbox} of the bridge
     * @param plain starts the processes; closed with the launcher, and by this method where it fails
     * @throws io.mcpbridge.failure.ConfigurationException if settings are wrong, or require a level that is not there
     */
    ProcessLauncher open(Settings section, ProcessLauncher plain);

    /**
     * Reads the section to its last key and tries nothing.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in the section
     */
    void check(Settings section);
}
