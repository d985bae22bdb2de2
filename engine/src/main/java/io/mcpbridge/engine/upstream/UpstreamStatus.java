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
 * How an upstream is at one moment, for operators. Immutable.
 *
 * @param server its configured name
 * @param transport the name of its transport
 * @param address where it is, or the empty string before it was connected
 * @param pid its process id, where it is a child of ours
 * @param state how it is
 * @param since when the state began
 * @param error the message of the last error, or the empty string; a call that timed out counts, since a server that
 *     hangs looks healthy otherwise
 * @param errorAt when that was; empty if there was none
 * @param profile what it said of itself when it was connected last
 * @param verdict the era it speaks, and what showed that; empty before it was connected
 * @param sessions how many sessions are open
 * @param connections how often a session was opened
 * @param callsInFlight requests that have no outcome yet
 * @param dropped how many of its messages had no recipient or were beyond a limit
 * @param remarks what an operator should know of its lists, such as that one was cut
 * @param statistics how fast it answers, and how often it was lost
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

    /** How an upstream is. */
    public enum State {
        /** No call has needed it yet. */
        IDLE,
        /** Its first connection is being opened. */
        CONNECTING,
        /** Its last connection is open, or ended in good order. */
        HEALTHY,
        /**
         * It is disconnected and tried again; or it is connected, and its calls are rejected because it fails, or it
         * reports without end that its lists have changed.
         */
        DEGRADED,
        /** It is disconnected and no longer tried in the background; a call may still connect. */
        UNAVAILABLE
    }

    /**
     * How the server performed lately. Immutable.
     *
     * @param latency how long its answers took
     * @param ping how long it took for the last answer to a keep-alive request; empty before the first one
     * @param restarts how often it was connected again after it was lost
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

        /** Only the first time: a server that was there before is degraded until it is back. */
        Phase connecting(Instant now) {
            return state == State.IDLE ? new Phase(State.CONNECTING, now, error, errorAt, profile, connections) : this;
        }

        Phase connected(Instant now, ServerProfile newProfile) {
            return new Phase(State.HEALTHY, now, error, errorAt, newProfile, connections + 1);
        }

        Phase degraded(Instant now, State newState, String why) {
            return new Phase(newState, state == newState ? since : now, why, now, profile, connections);
        }

        /** It did not answer a heartbeat, but a later one. */
        Phase recovered(Instant now) {
            return new Phase(State.HEALTHY, now, error, errorAt, profile, connections);
        }

        /** It is connected, and no call gets to it, or it calls its lists changed without end. */
        Phase degradedBy(Outage why) {
            return state == State.HEALTHY
                    ? new Phase(State.DEGRADED, why.since(), why.why(), why.since(), profile, connections)
                    : this;
        }

        /** A call failed in a way that says nothing of the connection. */
        Phase failed(Instant now, String why) {
            return new Phase(state, since, why, now, profile, connections);
        }
    }
}
