package io.mcpbridge.testkit;

import io.mcpbridge.message.Message;

/**
 * What a peer does with what it receives. Calls for one connection come one at a time.
 *
 * <p>The same script runs behind a memory, a socket, a pipe or an HTTP server.
 */
@FunctionalInterface
public interface Script {

    /** A message came; {@code wire} leads back to its sender. May keep the thread, which then reads nothing. */
    void received(Message message, Wire wire);

    /** The way back from a script to the sender of a message. Any thread may use it. */
    interface Wire {

        /** Sends a message. */
        void send(Message message);

        /** Sends a message in pieces of so many bytes, each by itself. */
        void sendInPieces(Message message, int bytes);

        /** Ends the connection without another word. */
        void cut();
    }
}
