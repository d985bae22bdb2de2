package io.mcpbridge.transport.http.listener;

import io.mcpbridge.call.Timekeeper;
import java.time.Duration;

/** The phase of a connection and its time-out. The event loop of the connection changes it; any thread may read it. */
final class ConnectionPhase {
    private static final Duration LINGER_TIME = Duration.ofSeconds(1);

    private enum Phase {
        /** Nothing has arrived yet. */
        NEW,
        HEAD,
        BODY,
        /** A response is being prepared, which may take any time. */
        HANDLING,
        /** Between two requests. */
        IDLE,
        /** After the last response. */
        CLOSING
    }

    private final HttpListenerLimits limits;
    private final Timekeeper timekeeper;
    private volatile State state;

    ConnectionPhase(HttpListenerLimits limits, Timekeeper timekeeper) {
        this.limits = limits;
        this.timekeeper = timekeeper;
        this.state = new State(Phase.NEW, timekeeper.nanoTime());
    }

    /** Bytes have arrived. */
    void onBytes() {
        if (state.phase == Phase.NEW) {
            state = new State(Phase.HEAD, state.since);
        } else if (state.phase == Phase.IDLE) {
            state = new State(Phase.HEAD, timekeeper.nanoTime());
        }
    }

    /** The head is complete; the time-out of the request began with its first byte. */
    void body() {
        state = new State(Phase.BODY, state.since);
    }

    void handling() {
        state = new State(Phase.HANDLING, state.since);
    }

    void idle() {
        state = new State(Phase.IDLE, timekeeper.nanoTime());
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
            case IDLE -> isOlder(now, limits.keepAlive());
            case CLOSING -> isOlder(now, LINGER_TIME);
        };
    }

    private boolean isOlder(State now, Duration limit) {
        return timekeeper.nanoTime() - now.since > limit.toNanos();
    }

    private record State(Phase phase, long since) {}
}
