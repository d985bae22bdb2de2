package io.mcpbridge.spi;

import io.mcpbridge.call.MessageHeaders;
import io.mcpbridge.call.Principal;
import io.mcpbridge.spi.AuditSink.AuditNote;
import java.util.Optional;

/** Passes everything on to {@code clients}, and runs an action each time one of them has left. */
record CloseNotifyingAcceptor(Acceptor clients, Runnable onClosed) implements Acceptor {

    @Override
    public Optional<Intake> connected(Peer peer) {
        return clients.connected(peer).map(ClosingIntake::new);
    }

    @Override
    public void note(AuditNote note) {
        clients.note(note);
    }

    private final class ClosingIntake implements Intake {
        private final Intake intake;

        private ClosingIntake(Intake intake) {
            this.intake = intake;
        }

        @Override
        public void received(Exchange exchange) {
            intake.received(exchange);
        }

        @Override
        public boolean takesBatches(MessageHeaders metadata, Principal principal) {
            return intake.takesBatches(metadata, principal);
        }

        @Override
        public void closed() {
            intake.closed();
            onClosed.run();
        }
    }
}
