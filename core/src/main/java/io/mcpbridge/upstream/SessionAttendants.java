package io.mcpbridge.upstream;

import io.mcpbridge.call.Timekeeper;
import io.mcpbridge.upstream.health.Pulse;
import io.mcpbridge.upstream.listening.Listening;
import io.mcpbridge.upstream.listening.LogLevelUpkeep;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who lives as long as one session and speaks for the bridge there, beside the calls of clients. Any thread. */
final class SessionAttendants {
    private final UpstreamSession session;
    private final LogLevelUpkeep logLevel;
    private volatile @Nullable Listening listening;
    private volatile @Nullable Pulse pulse;

    SessionAttendants(UpstreamSession session, Timekeeper timekeeper) {
        this.session = session;
        this.logLevel = new LogLevelUpkeep(session, timekeeper);
    }

    /** Keeps the level of log messages, where the server says that it logs. */
    LogLevelUpkeep logLevel() {
        return logLevel;
    }

    /** Where a modern server is listened to; empty in the legacy era. */
    Optional<Listening> listening() {
        return Optional.ofNullable(listening);
    }

    /** Keeps hearing what a modern server tells unasked. */
    void listen(Listening newListening, Set<String> uris) {
        listening = newListening;
        if (!session.isClosed()) {
            newListening.begin(uris);
        }
        if (session.isClosed()) {
            // Whoever closed it may have been there before the listening was.
            newListening.close();
        }
    }

    /** Keeps asking a silent server for signs of life. */
    void watch(Pulse newPulse) {
        pulse = newPulse;
        newPulse.begin();
        if (session.isClosed()) {
            newPulse.close();
        }
    }

    /** The session takes no new calls, so nobody hears what the server tells there. */
    void deafen() {
        listening().ifPresent(Listening::close);
    }

    /** The session is over. */
    void close() {
        deafen();
        rest();
    }

    /** Nobody asks the server for signs of life any longer. */
    void rest() {
        Optional.ofNullable(pulse).ifPresent(Pulse::close);
    }
}
