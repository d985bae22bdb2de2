package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;

/**
 * In which phase a connection is, since when, and whether that is too long. Moved by the connection's event
 * loop, read by any thread.
 */
final class Pace {
    private static final Duration LINGER = Duration.ofSeconds(1);

    private enum Phase {
        /** Nothing has come yet. */
        NEW,
        HEAD,
        BODY,
        /** A response is being made, which may take its time. */
        HANDLING,
        /** Nothing is under way. */
        RESTING,
        /** The last response was written. */
        CLOSING
    }

    private final HttpListenerLimits limits;
    private final Timekeeper timekeeper;
    private volatile State state;

    Pace(HttpListenerLimits limits, Timekeeper timekeeper) {
        this.limits = limits;
        this.timekeeper = timekeeper;
        this.state = new State(Phase.NEW, timekeeper.nanoTime());
    }

    /** The first bytes of a request have come. */
    void bytesCame() {
        if (state.phase == Phase.NEW) {
            state = new State(Phase.HEAD, state.since);
        } else if (state.phase == Phase.RESTING) {
            state = new State(Phase.HEAD, timekeeper.nanoTime());
        }
    }

    /** The head is complete; the deadline for the whole began with its first byte. */
    void body() {
        state = new State(Phase.BODY, state.since);
    }

    void handling() {
        state = new State(Phase.HANDLING, timekeeper.nanoTime());
    }

    void resting() {
        state = new State(Phase.RESTING, timekeeper.nanoTime());
    }

    void closing() {
        if (state.phase != Phase.CLOSING) {
            state = new State(Phase.CLOSING, timekeeper.nanoTime());
        }
    }

    boolean isClosing() {
        return state.phase == Phase.CLOSING;
    }

    /** Whether a request is arriving. */
    boolean isReading() {
        return state.phase == Phase.HEAD || state.phase == Phase.BODY;
    }

    boolean isOverdue() {
        var now = state;
        return switch (now.phase) {
            case NEW, HEAD -> isOlder(now, limits.headDeadline());
            case BODY -> isOlder(now, limits.requestDeadline());
            case HANDLING -> false;
            case RESTING -> isOlder(now, limits.keepAlive());
            case CLOSING -> isOlder(now, LINGER);
        };
    }

    private boolean isOlder(State now, Duration limit) {
        return timekeeper.nanoTime() - now.since > limit.toNanos();
    }

    private record State(Phase phase, long since) {}
}
