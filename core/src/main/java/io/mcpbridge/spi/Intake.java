package io.mcpbridge.spi;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;

/** Where a listener hands over what one peer sends. It never waits; calls of one connection come in order. */
public interface Intake {

    /** The client sent something. */
    void received(Exchange exchange);

    /**
     * Whether a client may send several messages as one array, which only revision 2025-03-26 knows. Each of them
     * is handed over by itself then.
     *
     * @param metadata the headers that came with the array; empty on byte streams
     */
    default boolean takesBatches(MessageHeaders metadata, Principal principal) {
        return false;
    }

    /** The connection or, on HTTP, the listener is gone; exchanges that were open are abandoned too. */
    void closed();
}
