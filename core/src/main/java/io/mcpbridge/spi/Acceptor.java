package io.mcpbridge.spi;

import io.mcpbridge.spi.AuditSink.AuditNote;
import java.util.Optional;

/** The bridge's side of a listener. Any thread may call it; it never waits. */
public interface Acceptor {

    /**
     * Takes a new peer: on byte streams once per connection, on HTTP once per listener.
     *
     * @return where its messages go, or empty if it is turned away and the connection is to be closed at once
     */
    Optional<Intake> connected(Peer peer);

    /**
     * Records something that a listener has turned away by itself, such as a peer that may not connect or a line that
     * is no message.
     */
    default void note(AuditNote note) {}

    /** The same acceptor, with an action that runs each time one of its peers has left. */
    default Acceptor onClosed(Runnable action) {
        return new CloseNotifyingAcceptor(this, action);
    }
}
