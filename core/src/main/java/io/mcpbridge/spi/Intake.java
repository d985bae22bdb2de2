package io.mcpbridge.spi;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;

/**
 * Receives the exchanges of one peer from a listener. Never blocks; a listener calls it in order for each connection.
 */
public interface Intake {

    /** Called when the client has sent a message or request. */
    void received(Exchange exchange);

    /**
     * Whether a client may send several messages as one array, which only revision 2025-03-26 allows. The listener then
     * passes on each message separately.
     *
     * @param metadata the headers that came with the array; empty on byte streams
     */
    default boolean takesBatches(MessageHeaders metadata, Principal principal) {
        return false;
    }

    /** Called when the connection or, on HTTP, the listener has closed; open exchanges are abandoned too. */
    void closed();
}
