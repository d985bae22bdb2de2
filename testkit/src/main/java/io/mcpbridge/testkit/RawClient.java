package io.mcpbridge.testkit;

import java.io.IOException;

/**
 * A client of a listener under test that speaks its wire by itself. One thread at a time.
 *
 * <p>On HTTP each message is a POST, and what comes in the answers counts as received.
 */
public interface RawClient extends AutoCloseable {

    /** Sends one message, or what should pass for one, and does not wait for an answer. */
    void send(String json) throws IOException;

    /** Waits for the next message from the listener; fails after {@link Eventually#PATIENCE}. */
    String receive() throws IOException;

    /** Waits until the listener has ended the connection; fails after {@link Eventually#PATIENCE}. */
    void awaitEnd() throws IOException;

    /** Leaves without another word. */
    @Override
    void close();
}
