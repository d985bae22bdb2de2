package io.mcpbridge.upstream;

import io.mcpbridge.spi.Environment;
import io.mcpbridge.spi.Transport;

/** Makes a new transport to one server each time it is asked; the transport is not open yet. */
public interface TransportFactory {

    /**
     * Makes one that lives in {@code environment}, whose launcher starts its process if it needs one.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the server's settings are wrong
     */
    Transport create(Environment environment);
}
