package io.mcpbridge.engine.upstream;

import io.mcpbridge.engine.upstream.connection.EraMemory;
import io.mcpbridge.engine.upstream.connection.LatencyStats;
import io.mcpbridge.engine.upstream.connection.ServerProfile;
import io.mcpbridge.spi.CallStage.Outage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The status of an upstream at one moment, for operators. Immutable.
 *
 * @param server its configured name
 * @param transport the name of its transport
 * @param address its address, or the empty string before the first connection
 * @param pid its process id, if it is a child process of the bridge
 * @param state its state
 * @param since when the state began
 * @param error the message of the last error, or the empty string; a call that timed out counts, since a server that
 *     hangs looks healthy otherwise
 * @param errorAt when the last error happened; empty if there was none
 * @param profile its profile at the last connection
 * @param verdict its era and the evidence for it; empty before the first connection
 * @param sessions open sessions
 * @param connections connections opened so far
 * @param callsInFlight requests that have no outcome yet
 * @param dropped its messages that had no recipient or exceeded a limit
 * @param remarks notes for the operator about its lists, such as that one was cut
 * @param statistics its latency and its restarts
 */
public record UpstreamStatus(
        String server,
        String transport,
        String address,
        OptionalLong pid,
        State state,
        Instant since,
        String error,
        Optional<Instant> errorAt,
        Optional<ServerProfile> profile,
        Optional<EraMemory.Verdict> verdict,
        int sessions,
        long connections,
        int callsInFlight,
        long dropped,
        List<String> remarks,
        Statistics statistics) {

    /** The state of an upstream. */
    public enum State {
        /** No call has needed it yet. */
        IDLE,
        /** Its first connection is being opened. */
        CONNECTING,
        /** Its last connection is open, or ended without an error. */
        HEALTHY,
        /**
         * It is disconnected and reconnecting; or it is connected, but its calls are rejected because it fails, or it
         * reports list changes all the time.
         */
        DEGRADED,
        /** It is disconnected and the background attempts have ended; a call may still connect. */
        UNAVAILABLE
    }

    /**
     * The recent performance of the server. Immutable.
     *
     * @param latency its response times
     * @param ping the response time of the last keep-alive request; empty before the first one
     * @param restarts how often it was reconnected after a loss
     */
    public record Statistics(LatencyStats.Snapshot latency, Optional<Duration> ping, long restarts) {}

    /** The changing part of a status. */
    record Phase(
            State state,
            Instant since,
            String error,
            @Nullable Instant errorAt,
            @Nullable ServerProfile profile,
            long connections) {

        /** Changes the state at the first connection only; a lost server stays degraded until it has reconnected. */
        Phase connecting(Instant now) {
            return state == State.IDLE ? new Phase(State.CONNECTING, now, error, errorAt, profile, connections) : this;
        }

        Phase connected(Instant now, ServerProfile newProfile) {
            return new Phase(State.HEALTHY, now, error, errorAt, newProfile, connections + 1);
        }

        /** Returns the phase of a server that is connected again and whose tools are not listed again yet. */
        Phase returning(ServerProfile newProfile) {
            return new Phase(state, since, error, errorAt, newProfile, connections + 1);
        }

        Phase degraded(Instant now, State newState, String why) {
            return new Phase(newState, state == newState ? since : now, why, now, profile, connections);
        }

        /** Returns the phase after the tools are listed again, or the server answered after a missed heartbeat. */
        Phase recovered(Instant now) {
            return new Phase(State.HEALTHY, now, error, errorAt, profile, connections);
        }

        /**
         * Returns the phase of a connected server with an outage: its calls are rejected, or its lists are unusable.
         */
        Phase degradedBy(Outage why) {
            return state == State.HEALTHY
                    ? new Phase(State.DEGRADED, why.since(), why.why(), why.since(), profile, connections)
                    : this;
        }

        /** Returns the phase after a call failed without affecting the connection. */
        Phase failed(Instant now, String why) {
            return new Phase(state, since, why, now, profile, connections);
        }
    }
}
