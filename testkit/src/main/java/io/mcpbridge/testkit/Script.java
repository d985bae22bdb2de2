package io.mcpbridge.testkit;

import io.mcpbridge.message.Message;

/**
 * The behaviour of a scripted peer. Calls for one connection come one at a time.
 *
 * <p>The same script runs in memory, or behind a socket, a pipe or an HTTP server.
 */
@FunctionalInterface
public interface Script {

    /** A message was received; {@code wire} sends to its sender. May block the thread, which then reads nothing. */
    void received(Message message, Wire wire);

    /** Sends messages from a script to the sender of a message. Any thread may use it. */
    interface Wire {

        /** Sends a message. */
        void send(Message message);

        /** Sends a message in separate pieces of {@code bytes} bytes. */
        void sendInPieces(Message message, int bytes);

        /** Closes the connection without sending anything. */
        void cut();
    }
}
