package io.mcpbridge.upstream.listening;

import io.mcpbridge.call.Call;
import io.mcpbridge.call.Caller;
import io.mcpbridge.call.Reply;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.Optional;

/** A server as whoever subscribes to its resources sees it. Any thread; nothing here waits. */
public interface SubscribedServer {

    /** The session that a caller's client uses as things are. */
    SessionKey key(Caller caller);

    /** The same, for which a place is made if there is none; that of others where there is no room. */
    SessionKey place(Caller caller);

    /** Whether the session is there. */
    boolean isConnected(SessionKey key);

    /** Where the session listens to a modern server; empty in the legacy era and while there is none. */
    Optional<Listening> listening(SessionKey key);

    /** A request of our own in the caller's place, with its time. */
    Call own(Caller caller, String method, String params);

    /** Opens the session if it is not there. */
    void connect(SessionKey key, Call call, Reply reply);

    /** Sends a request of our own over the session. */
    void ask(SessionKey key, Call call, Reply reply);

    /** Counts something that belongs to nobody, and tells the log now and then. */
    void dropped(String what);
}
