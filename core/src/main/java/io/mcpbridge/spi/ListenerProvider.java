package io.mcpbridge.spi;

/** Makes listeners of one kind, such as {@code unix}, {@code http} or {@code stdio}. */
public interface ListenerProvider extends Provider {

    /**
     * Makes a listener that has not started.
     *
     * @param settings its section of the configuration
     * @throws io.mcpbridge.failure.ConfigurationException if settings are missing or wrong
     */
    Listener create(Settings settings, Environment environment);
}
