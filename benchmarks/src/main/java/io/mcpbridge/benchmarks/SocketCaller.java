package io.mcpbridge.benchmarks;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** A session on one socket, so that one thread can make the calls of many. Not thread-safe. */
interface SocketCaller extends Session {

    /** The socket; another one after {@link #prepare} or {@link #reconnect}. */
    SocketChannel channel();

    @Override
    default void prepare() throws IOException {}

    /** Sends a new call. */
    void send() throws IOException;

    /** Reads what has arrived; returns true with the whole answer, and fails if it is wrong. */
    boolean receive() throws IOException;

    @Override
    default void call() throws IOException {
        send();
        while (!receive()) {
            // The socket blocks here.
        }
    }
}
