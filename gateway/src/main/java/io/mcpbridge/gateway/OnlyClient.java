package io.mcpbridge.gateway;

import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.util.Optional;

/**
 * Takes the one client on standard input and output, with which the daemon ends.
 *
 * @param clients who serves it
 * @param atEnd runs when it has gone; must not wait
 */
record OnlyClient(Acceptor clients, Runnable atEnd) implements Acceptor {

    @Override
    public Optional<Intake> connected(Peer peer) {
        return clients.connected(peer).map(Ending::new);
    }

    private final class Ending implements Intake {
        private final Intake intake;

        private Ending(Intake intake) {
            this.intake = intake;
        }

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
}
