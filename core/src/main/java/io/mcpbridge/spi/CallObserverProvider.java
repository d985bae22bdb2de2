package io.mcpbridge.spi;

/** Makes those who watch calls; one is made where the section {@code telemetry} of the configuration wants it. */
public interface CallObserverProvider extends Provider {

    /**
     * Makes an observer, which the caller closes.
     *
     * @param settings the section {@code telemetry}
     * @throws io.mcpbridge.failure.ConfigurationException if settings are wrong
     */
    CallObserver create(Settings settings, Environment environment);

    /**
     * Reads the section and makes nothing, for a configuration that is only checked: what an observer takes from its
     * process may not be there yet.
     *
     * @throws io.mcpbridge.failure.ConfigurationException with every mistake in the section
     */
    default void check(Settings settings) {}
}
