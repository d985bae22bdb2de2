package io.mcpbridge.spi;

import java.net.URI;

/** A place where clients reach us. Any thread may stop and close it; closing twice is harmless. */
public interface Listener extends AutoCloseable {

    /**
     * Looks whether the address can be used as configured, as far as that can be seen without making or binding anything.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if it cannot
     */
    default void check() {}

    /**
     * Binds and begins to accept; may wait for a bounded time.
     *
     * @throws io.mcpbridge.failure.ConfigurationException if the address cannot be used as configured
     * @throws io.mcpbridge.failure.TransportException if it cannot be bound
     */
    void start(Acceptor acceptor);

    /** Where clients find it, with the port that the system chose. */
    URI address();

    /** Accepts nothing new; connections and requests that are there go on. */
    void stopAccepting();

    /** Ends every connection and removes what {@link #start} made. */
    @Override
    void close();
}
