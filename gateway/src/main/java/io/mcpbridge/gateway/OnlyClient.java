package io.mcpbridge.gateway;

import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditNote;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * Takes the one client on standard input and output, with which the daemon ends.
 *
 * @param clients who serves it
 * @param daemon is drained when it has gone
 */
record OnlyClient(Acceptor clients, Daemon daemon) implements Acceptor {
    private static final System.Logger LOG = System.getLogger("io.mcpbridge");

    @Override
    public Optional<Intake> connected(Peer peer) {
        return clients.connected(peer).map(Ending::new);
    }

    @Override
    public void note(AuditNote note) {
        clients.note(note);
    }

    /** Drains on a thread of its own, since the one that brings the news has to be ended too. */
    private void endSoon() {
        if (!daemon.isEnding()) {
            LOG.log(Level.INFO, "[mcp-bridge] the client on standard input has gone");
            new Thread(this::drainOrClose, "mcp-bridge-end").start();
        }
    }

    private void drainOrClose() {
        try {
            daemon.drain();
        } catch (InterruptedException hurried) {
            daemon.close();
        }
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
            endSoon();
        }
    }
}
