package io.mcpbridge.upstream;

import io.mcpbridge.spi.HeldOff;
import io.mcpbridge.upstream.health.Vitals;
import io.mcpbridge.upstream.introduction.EraVerdict;
import io.mcpbridge.upstream.introduction.ServerProfile;
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
 * @param error the last error's words, or the empty string; a call that timed out is one, since a server that hangs
 *     looks healthy otherwise
 * @param errorAt when that was; empty if there was none
 * @param profile what it said of itself when it was connected last
 * @param verdict in which era it is spoken with, and what showed that; empty before it was connected
 * @param sessions how many sessions are open
 * @param connections how often a session was opened
 * @param callsInFlight requests that have no outcome yet
 * @param dropped what it sent that belonged to nobody, or was beyond a limit
 * @param remarks what an operator should know of its lists, such as that one was cut
 * @param vitals how fast it answers, and how often it was lost
 */
public record UpstreamStatus(
        String server,
        String transport,
        String address,
        OptionalLong pid,
        UpstreamState state,
        Instant since,
        String error,
        Optional<Instant> errorAt,
        Optional<ServerProfile> profile,
        Optional<EraVerdict> verdict,
        int sessions,
        long connections,
        int callsInFlight,
        long dropped,
        List<String> remarks,
        Vitals vitals) {

    /** The changing part of a status. */
    record Phase(
            UpstreamState state,
            Instant since,
            String error,
            @Nullable Instant errorAt,
            @Nullable ServerProfile profile,
            long connections) {

        /** Only the first time: a server that was there before is degraded until it is back. */
        Phase connecting(Instant now) {
            return state == UpstreamState.IDLE
                    ? new Phase(UpstreamState.CONNECTING, now, error, errorAt, profile, connections)
                    : this;
        }

        Phase connected(Instant now, ServerProfile newProfile) {
            return new Phase(UpstreamState.HEALTHY, now, error, errorAt, newProfile, connections + 1);
        }

        Phase troubled(Instant now, UpstreamState newState, String why) {
            return new Phase(newState, state == newState ? since : now, why, now, profile, connections);
        }

        /** It was in doubt, and answers after all. */
        Phase recovered(Instant now) {
            return new Phase(UpstreamState.HEALTHY, now, error, errorAt, profile, connections);
        }

        /** It is connected, and no call gets to it, or it calls its lists changed without end. */
        Phase heldOff(HeldOff why) {
            return state == UpstreamState.HEALTHY
                    ? new Phase(UpstreamState.DEGRADED, why.since(), why.why(), why.since(), profile, connections)
                    : this;
        }

        /** A call failed in a way that says nothing of the connection. */
        Phase failed(Instant now, String why) {
            return new Phase(state, since, why, now, profile, connections);
        }
    }
}
