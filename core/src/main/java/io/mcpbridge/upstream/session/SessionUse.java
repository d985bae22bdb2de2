package io.mcpbridge.upstream.session;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;

/**
 * How a session is used, which tells whether it may make room and whether its server is worth a new one. Any thread.
 */
public final class SessionUse {
    /** A session that lived this long was no failed start, even if it answered nothing. */
    private static final Duration STEADY = Duration.ofSeconds(5);

    private final Timekeeper timekeeper;
    private volatile long begun;
    private volatile long lastCall;
    private volatile long lastHeard;
    private volatile boolean hasAnswered;

    public SessionUse(Timekeeper timekeeper) {
        this.timekeeper = timekeeper;
    }

    /** The handshake is done. */
    public void begin() {
        begun = timekeeper.nanoTime();
        lastCall = begun;
        lastHeard = begun;
    }

    public void called() {
        lastCall = timekeeper.nanoTime();
    }

    /** The server has said something; returns the moment. */
    public long heard() {
        var now = timekeeper.nanoTime();
        lastHeard = now;
        return now;
    }

    /** When the server was heard last. */
    public long lastHeard() {
        return lastHeard;
    }

    public void answered() {
        if (!hasAnswered) {
            hasAnswered = true;
        }
    }

    /** Whether a call was answered. */
    public boolean hasAnswered() {
        return hasAnswered;
    }

    /** Whether it answered a call or lived for a while; a server of which that is not true may be ending in a loop. */
    public boolean wasWorthIt() {
        return hasAnswered || timekeeper.nanoTime() - begun >= STEADY.toNanos();
    }

    /** How long it is since the handshake was done. */
    public Duration age() {
        return Duration.ofNanos(timekeeper.nanoTime() - begun);
    }

    /** How long no call has come. */
    public Duration idle() {
        return Duration.ofNanos(timekeeper.nanoTime() - lastCall);
    }
}
