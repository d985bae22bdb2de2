package io.mcpbridge.spi;

/**
 * Makes call observers of one kind; the bridge uses one if the section {@code telemetry} of the configuration enables
 * it.
 */
public interface CallObserverProvider extends Provider {

    /**
     * Makes an observer, which the caller closes.
     *
     * @param settings the section {@code telemetry}
     * @throws io.mcpbridge.failure.ConfigurationException if settings are wrong
     */
    CallObserver create(Settings settings, Environment environment);

    /**
     * Validates the section for a configuration check, and creates nothing, because the resources that an observer
     * needs from its process may not exist yet.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in the section
     */
    default void check(Settings settings) {}
}
