package io.mcpbridge.upstream.seats;

import io.mcpbridge.call.Caller;
import io.mcpbridge.upstream.session.SessionKey;
import java.util.Optional;

/** The sessions of a server as whoever gives them to clients sees them. Any thread; nothing here waits. */
public interface SeatedServer {

    /** Makes a place for a session, for which another one may have to end; false if there is no room. */
    boolean make(SessionKey key, Caller caller);

    /** The session with this key, if it is there. */
    Optional<? extends SeatedSession> session(SessionKey key);

    /** Whether callers of another kind have found room in this session alone. */
    boolean isJoined(SessionKey key);

    /** Whether there is a place for any other session. */
    boolean haveOthersThan(SessionKey key);

    /** Whether somebody has subscribed to something there. */
    boolean isListenedTo(SessionKey key);

    /** Ends a session, unless something is under way there or it is the last one; whether it is gone. */
    boolean drop(SessionKey key);
}
