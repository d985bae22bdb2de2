package io.mcpbridge.spi;

import io.mcpbridge.call.AttemptWatch;
import io.mcpbridge.call.CallAttempt;
import io.mcpbridge.call.CallStart;
import io.mcpbridge.call.CallWatch;
import io.mcpbridge.call.EndedSession;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Watches calls without taking part, for telemetry. Never waits; any thread. */
public interface CallObserver extends AutoCloseable {

    /** A call begins, on the thread that makes it; what is returned watches the rest of it. */
    default CallWatch begun(CallStart start) {
        return CallWatch.NONE;
    }

    /**
     * The bridge itself asks a server something that belongs to no call, such as a handshake, a list or a sign of life;
     * what is returned watches it.
     */
    default AttemptWatch asked(CallAttempt own) {
        return AttemptWatch.NONE;
    }

    /** A session is over that the bridge had with a server, or a client with the bridge. */
    default void sessionEnded(EndedSession session) {}

    /**
     * Says where the state of the servers can be read at any time, by the servers' names; reading it is cheap.
     *
     * @return ends the reading
     */
    default Runnable watchServers(Supplier<Map<String, List<Reading>>> servers) {
        return () -> {};
    }

    /** Ends what was begun for it; whoever made it calls this. */
    @Override
    default void close() {}
}
