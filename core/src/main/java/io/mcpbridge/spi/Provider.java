package io.mcpbridge.spi;

/**
 * Names one implementation of an extension point and makes it.
 *
 * <p>Has a public constructor without arguments that does nothing; sockets, processes and threads start when
 * it makes something, or later.
 */
public interface Provider {

    /** The version of the extension points; increases when implementations must be recompiled. */
    int SPI_VERSION = 1;

    /** The name of the provider, and the version of the extension points that it was built for. */
    Id id();

    /** The name by which the configuration selects the provider. */
    default String name() {
        return id().name();
    }

    /**
     * The name and SPI version of a provider.
     *
     * @param name lower-case letters, digits and dashes
     * @param spiVersion {@link #SPI_VERSION}, which the compiler copies into the plug-in, so core sees the version that
     *     the plug-in was built for
     */
    record Id(String name, int spiVersion) {}
}
