package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Metadata;

/**
 * What goes for every response to one request, whoever makes it.
 *
 * @param closes whether the connection ends with the response
 * @param headers beside those of the response itself
 */
record Manner(boolean closes, Metadata headers) {
    static final Manner GOING_ON = new Manner(false, Metadata.EMPTY);
    static final Manner CLOSING = new Manner(true, Metadata.EMPTY);

    /** The same for a response after which nothing more is read. */
    Manner closing() {
        return closes ? this : new Manner(true, headers);
    }
}
