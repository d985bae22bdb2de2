package io.mcpbridge.server;

import io.mcpbridge.call.Caller;

/** Reads a resource of the program. It may block: each request has its own thread. */
@FunctionalInterface
public interface ResourceHandler {

    /**
     * Reads the resource.
     *
     * @param caller the client that reads
     * @return the contents: a {@code String}, or a {@code byte[]} for binary contents
     * @throws Exception if it cannot be read; the client gets the message
     */
    Object read(Caller caller) throws Exception;
}
