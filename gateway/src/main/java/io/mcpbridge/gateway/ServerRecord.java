package io.mcpbridge.gateway;

import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.spi.Reading;
import io.mcpbridge.spi.SandboxLevel;
import io.mcpbridge.upstream.UpstreamStatus;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One server behind the daemon, for operators.
 *
 * @param name its name in the configuration
 * @param type the name of its transport
 * @param state as in {@link io.mcpbridge.upstream.UpstreamState}, in lower case, or {@code disabled}
 * @param since when the state began
 * @param error the last error's words, or the empty string
 * @param errorAt when that was; empty if there was none, or it is that the server could not be made
 * @param address where it is, or the empty string before it was connected
 * @param pid its process id, where it is a child of the daemon
 * @param sandbox how firmly its process is held, where it is a child of the daemon
 * @param serverName its own name, or the empty string before its handshake
 * @param serverVersion its own version, or the empty string
 * @param protocol the revision that is spoken with it, or the empty string
 * @param era {@code legacy} or {@code modern}, and the empty string before that was found out
 * @param eraShownBy what showed the era, such as {@code discovered} or {@code configured}, or the empty string
 * @param eraSince when the era was found out first, or the beginning of time
 * @param sessions how many sessions are open
 * @param connections how often a session was opened
 * @param callsInFlight requests that have no answer yet
 * @param dropped messages of it that belonged to nobody, or were beyond a limit
 * @param remarks what an operator should know of its lists, such as that one was cut
 * @param figures what is measured of it
 */
public record ServerRecord(
        String name,
        String type,
        String state,
        Instant since,
        String error,
        Optional<Instant> errorAt,
        String address,
        OptionalLong pid,
        Optional<SandboxLevel> sandbox,
        String serverName,
        String serverVersion,
        String protocol,
        String era,
        String eraShownBy,
        Instant eraSince,
        int sessions,
        long connections,
        int callsInFlight,
        long dropped,
        List<String> remarks,
        ServerFigures figures) {

    static ServerRecord of(UpstreamStatus status, Optional<SandboxLevel> sandbox, List<Reading> readings) {
        var profile = status.profile();
        var verdict = status.verdict();
        return new ServerRecord(
                status.server(),
                status.transport(),
                status.state().name().toLowerCase(Locale.ROOT),
                status.since(),
                status.error(),
                status.errorAt(),
                status.address(),
                status.pid(),
                sandbox,
                profile.map(known -> known.name()).orElse(""),
                profile.map(known -> known.serverVersion()).orElse(""),
                profile.map(known -> known.version().text()).orElse(""),
                verdict.map(found -> found.era().name().toLowerCase(Locale.ROOT))
                        .orElse(""),
                verdict.map(found -> found.evidence().text()).orElse(""),
                verdict.map(found -> found.since()).orElse(Instant.EPOCH),
                status.sessions(),
                status.connections(),
                status.callsInFlight(),
                status.dropped(),
                status.remarks(),
                new ServerFigures(status.vitals(), readings));
    }

    /** A server that was not made. */
    static ServerRecord absent(ServerSettings settings, String state, String error, Instant since) {
        return new ServerRecord(
                settings.name(),
                settings.type(),
                state,
                since,
                error,
                Optional.empty(),
                "",
                OptionalLong.empty(),
                Optional.empty(),
                "",
                "",
                "",
                "",
                "",
                Instant.EPOCH,
                0,
                0,
                0,
                0,
                List.of(),
                ServerFigures.NONE);
    }
}
