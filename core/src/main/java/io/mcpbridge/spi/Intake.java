package io.mcpbridge.spi;

/** Where a listener hands over what one peer sends. It never waits; calls of one connection come in order. */
public interface Intake {

    /** The client sent something. */
    void received(Exchange exchange);

    /** The connection or, on HTTP, the listener is gone; exchanges that were open are abandoned too. */
    void closed();
}
