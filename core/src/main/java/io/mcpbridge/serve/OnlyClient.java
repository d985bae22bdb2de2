package io.mcpbridge.serve;

import io.mcpbridge.call.Metadata;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.util.Optional;

/**
 * Takes the one client on standard input and output, with which the server ends.
 *
 * @param clients who serves it
 * @param gone runs when it has left
 */
record OnlyClient(Acceptor clients, Runnable gone) implements Acceptor {

    @Override
    public Optional<Intake> connected(Peer peer) {
        return clients.connected(peer).map(intake -> new Ending(intake, gone));
    }

    @Override
    public void note(AuditNote note) {
        clients.note(note);
    }

    private record Ending(Intake intake, Runnable gone) implements Intake {

        @Override
        public void received(Exchange exchange) {
            intake.received(exchange);
        }

        @Override
        public boolean takesBatches(Metadata metadata, Principal principal) {
            return intake.takesBatches(metadata, principal);
        }

        @Override
        public void closed() {
            intake.closed();
            gone.run();
        }
    }
}
