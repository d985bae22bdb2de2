package io.mcpbridge.testkit;

import java.io.IOException;

/**
 * A client of a listener under test, with its own implementation of the wire protocol. Used by one thread at a time.
 *
 * <p>Over HTTP each message is a POST, and messages in the responses count as received.
 */
public interface RawClient extends AutoCloseable {

    /** Sends a message, or an invalid one, and does not wait for an answer. */
    void send(String json) throws IOException;

    /** Waits for the next message from the listener; fails after {@link Eventually#TIMEOUT}. */
    String receive() throws IOException;

    /** Waits until the listener has closed the connection; fails after {@link Eventually#TIMEOUT}. */
    void awaitEnd() throws IOException;

    /** Closes the connection without sending anything. */
    @Override
    void close();
}
