package io.mcpbridge.cli;

import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;

/**
 * An intake that says when its connection has ended.
 *
 * @param intake where everything goes
 * @param atEnd runs after the intake has heard of the end
 */
record EndingIntake(Intake intake, Runnable atEnd) implements Intake {

    @Override
    public void received(Exchange exchange) {
        intake.received(exchange);
    }

    @Override
    public void closed() {
        intake.closed();
        atEnd.run();
    }
}
