package io.mcpbridge.stream;

import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;

/** Where the messages of a peer go that was not accepted: nowhere. */
enum Nowhere implements Intake {
    INTAKE;

    @Override
    public void received(Exchange exchange) {}

    @Override
    public void closed() {}
}
