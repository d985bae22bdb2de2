package io.mcpbridge;

import io.mcpbridge.engine.upstream.UpstreamStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of a server at one moment, as far as the bridge knows it. Immutable.
 *
 * @param server the configured name
 * @param transport the name of its transport, such as {@code stdio}
 * @param address its address; empty before the first connection
 * @param pid its process id, if it is a child process of the bridge
 * @param state its state
 * @param since when the state began
 * @param error the last error, call time-outs included; empty if there was none
 * @param errorAt when the last error happened
 * @param protocolVersion its protocol revision; empty before the first connection
 * @param sessions open sessions
 * @param connections connections made so far
 * @param restarts how often it reconnected
 * @param callsInFlight requests without an outcome yet
 * @param remarks notes for the operator about its lists, such as that one was cut
 */
public record ServerStatus(
        String server,
        String transport,
        String address,
        OptionalLong pid,
        State state,
        Instant since,
        String error,
        Optional<Instant> errorAt,
        Optional<String> protocolVersion,
        int sessions,
        long connections,
        long restarts,
        int callsInFlight,
        List<String> remarks) {

    public ServerStatus {
        remarks = List.copyOf(remarks);
    }

    /** The state of a server. */
    public enum State {
        /** No call has needed it yet. */
        IDLE,
        /** Its first session opens. */
        CONNECTING,
        /** Its last session is open, or ended without an error. */
        HEALTHY,
        /**
         * It is disconnected and reconnecting; or its circuit breaker is open; or it reports list changes all the time.
         */
        DEGRADED,
        /** It is disconnected and reconnecting has ended; a call may still try. */
        UNAVAILABLE
    }

    static ServerStatus of(UpstreamStatus upstream) {
        return new ServerStatus(
                upstream.server(),
                upstream.transport(),
                upstream.address(),
                upstream.pid(),
                State.valueOf(upstream.state().name()),
                upstream.since(),
                upstream.error(),
                upstream.errorAt(),
                upstream.verdict().map(verdict -> verdict.version().text()),
                upstream.sessions(),
                upstream.connections(),
                upstream.statistics().restarts(),
                upstream.callsInFlight(),
                upstream.remarks());
    }
}
