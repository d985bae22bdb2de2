package io.mcpbridge.spi;

/** Makes those who watch calls; one is made where the section {@code telemetry} of the configuration wants it. */
public interface CallObserverProvider extends Provider {

    /**
     * Makes one, which whoever asks for it closes.
     *
     * @param settings the section {@code telemetry}
     * @throws io.mcpbridge.failure.ConfigurationException if settings are wrong
     */
    CallObserver create(Settings settings, Environment environment);
}
