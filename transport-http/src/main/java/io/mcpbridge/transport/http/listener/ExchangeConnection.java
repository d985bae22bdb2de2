package io.mcpbridge.transport.http.listener;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** The connection of a client, as its exchanges see it. Any thread may use it. */
interface ExchangeConnection {

    ResponseWriteQueue queue();

    /** Records that the connection is busy with this response, until {@link #finished}. */
    void begun(OpenResponse answering);

    /** Records that a response was written without an {@link OpenResponse}. */
    void answered();

    /** The address of the client; null after the connection has ended. */
    @Nullable
    SocketAddress client();

    /** The options of the response to the current request. */
    ResponseOptions options();

    /**
     * Records that the response was written, or can no longer be. Called on the event loop and without a lock, since the
     * core is notified.
     */
    void finished(OpenResponse answering);

    /** Has the event loop call {@link #finished} before it handles what the client sends next. */
    void finishLater(OpenResponse answering);

    /** Closes the connection although the response is not complete. */
    void abort();

    /** Closes and reports a connection whose queue has no room for a response. */
    void closeSlowReader();
}
