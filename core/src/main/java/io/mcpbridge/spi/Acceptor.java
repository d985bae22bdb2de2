package io.mcpbridge.spi;

import io.mcpbridge.spi.AuditSink.AuditNote;
import java.util.Optional;

/** Accepts the peers of a listener on behalf of the bridge. Any thread may call it; it never blocks. */
public interface Acceptor {

    /**
     * Accepts a new peer. Byte streams call this once per connection, HTTP listeners once per listener.
     *
     * @return the intake for its messages; empty if the peer is rejected and the listener must close the connection at
     *     once
     */
    Optional<Intake> connected(Peer peer);

    /** Records a rejection by the listener itself, such as a peer without permission or a line that is no message. */
    default void note(AuditNote note) {}

    /** An acceptor that also runs {@code action} each time one of its peers has disconnected. */
    default Acceptor onClosed(Runnable action) {
        return new CloseNotifyingAcceptor(this, action);
    }
}
