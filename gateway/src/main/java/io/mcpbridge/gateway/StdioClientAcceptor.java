package io.mcpbridge.gateway;

import io.mcpbridge.spi.Acceptor;
import io.mcpbridge.spi.AuditSink.AuditNote;
import io.mcpbridge.spi.Exchange;
import io.mcpbridge.spi.Intake;
import io.mcpbridge.spi.Peer;
import java.lang.System.Logger.Level;
import java.util.Optional;

/**
 * Accepts the client on standard input and output, and drains the daemon when that client disconnects.
 *
 * @param clients serves the client
 * @param daemon is drained at the end of the client
 */
record StdioClientAcceptor(Acceptor clients, Daemon daemon) implements Acceptor {
    private static final System.Logger LOG = System.getLogger("io.mcpbridge");

    @Override
    public Optional<Intake> connected(Peer peer) {
        return clients.connected(peer).map(intake -> new DrainingIntake(intake, this::drainInBackground));
    }

    @Override
    public void note(AuditNote note) {
        clients.note(note);
    }

    /** Drains on a separate thread, because the drain also ends the calling thread. */
    private void drainInBackground() {
        if (!daemon.isEnding()) {
            LOG.log(Level.INFO, "[mcp-bridge] the client on standard input has disconnected");
            new Thread(daemon::drainOrClose, "mcp-bridge-end").start();
        }
    }

    /** The intake of the client, which ends the daemon when it has left. */
    private record DrainingIntake(Intake intake, Runnable drain) implements Intake {

        @Override
        public void received(Exchange exchange) {
            intake.received(exchange);
        }

        @Override
        public void closed() {
            intake.closed();
            drain.run();
        }
    }
}
