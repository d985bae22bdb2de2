package io.mcpbridge.gateway;

import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.util.Optional;

/**
 * Accepts the client on standard input and output, and notices when it disconnects.
 *
 * @param clients serves the client
 * @param onEnd runs when the client has disconnected
 */
public record EndObservingAcceptor(Acceptor clients, Runnable onEnd) implements Acceptor {

    @Override
    public Optional<Intake> connected(Peer peer) {
        return clients.connected(peer).map(intake -> new ObservedIntake(intake, onEnd));
    }

    @Override
    public void note(AuditNote note) {
        clients.note(note);
    }

    private record ObservedIntake(Intake intake, Runnable onEnd) implements Intake {

        @Override
        public void received(Exchange exchange) {
            intake.received(exchange);
        }

        @Override
        public void closed() {
            intake.closed();
            onEnd.run();
        }
    }
}
