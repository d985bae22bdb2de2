package io.mcpbridge.upstream.listening;

import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Reply;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.Optional;

/** A server as whoever subscribes to its resources sees it. Any thread; nothing here waits. */
public interface SubscribedServer {

    /** Whose session a caller uses. */
    SessionKey key(Caller caller);

    /** Whether the caller's session is there. */
    boolean isConnected(Caller caller);

    /** Where the caller's session listens to a modern server; empty in the legacy era and while there is none. */
    Optional<Listening> listening(Caller caller);

    /** Opens the caller's session if it is not there. */
    void connect(Caller caller, Reply reply);

    /** Sends a request of our own over the caller's session. */
    void ask(Caller caller, String method, String params, Reply reply);

    /** Counts something that belongs to nobody, and tells the log now and then. */
    void dropped(String what);
}
