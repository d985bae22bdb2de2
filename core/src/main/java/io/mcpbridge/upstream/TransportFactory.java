package io.mcpbridge.upstream;

import io.mcpbridge.spi.Settings;
import io.mcpbridge.spi.Transport;

/** Makes a new transport to one server each time it is asked; the transport is not open yet. */
public interface TransportFactory {

    /**
     * Makes one as {@code section} says, which is the server's, or that of a process that has one call.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the server's settings are wrong
     */
    Transport create(Settings section);
}
