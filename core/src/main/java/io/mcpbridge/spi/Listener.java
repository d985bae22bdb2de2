package io.mcpbridge.spi;

import java.net.URI;

/**
 * Accepts connections of clients at one address. Any thread may stop and close it, even if it was not started; a second
 * close has no effect.
 */
public interface Listener extends AutoCloseable {

    /**
     * Checks whether the address can be used as configured, as far as possible without creating or binding anything.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if it cannot
     */
    default void check() {}

    /**
     * Binds the address; clients that connect wait for {@link #start}. A listener without an address does nothing.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the address cannot be used as configured
     * @throws io.mcpbridge.failure.TransportException if it cannot be bound
     */
    default void bind() {}

    /**
     * Begins to accept; binds first if {@link #bind} was not called. May block for a bounded time.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the address cannot be used as configured
     * @throws io.mcpbridge.failure.TransportException if it cannot be bound
     */
    void start(Acceptor acceptor);

    /** The address for clients, with the port that the system chose. */
    URI address();

    /** Stops accepting connections and requests; existing ones continue. */
    void stopAccepting();

    /** Closes every connection and removes everything that {@link #bind} and {@link #start} created. */
    @Override
    void close();
}
