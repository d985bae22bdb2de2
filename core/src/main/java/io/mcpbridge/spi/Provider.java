package io.mcpbridge.spi;

/**
 * Names one implementation of an extension point and makes it.
 *
 * <p>Has a public constructor without arguments that does nothing; sockets, processes and threads start when
 * it makes something, or later.
 */
public interface Provider {

    /** The version of these interfaces; grows when an implementation has to be compiled anew. */
    int SPI_VERSION = 1;

    /** Its name, and the version of these interfaces that it was built for. */
    Id id();

    /** The name by which configuration picks it. */
    default String name() {
        return id().name();
    }

    /**
     * What a provider says of itself.
     *
     * @param name lower-case letters, digits and dashes
     * @param spiVersion {@link #SPI_VERSION}, which the compiler copies into the plug-in: so core sees the version that the
     *     plug-in was built for
     */
    record Id(String name, int spiVersion) {}
}
