package io.mcpbridge.engine;

import io.mcpbridge.config.ServerSettings;
import io.mcpbridge.engine.upstream.UpstreamStatus;
import io.mcpbridge.engine.upstream.connection.LatencyStats;
import io.mcpbridge.spi.GaugeReading;
import io.mcpbridge.spi.SandboxLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The status of one server, for operators.
 *
 * @param name its name in the configuration
 * @param type the name of its transport
 * @param state the state of the connection, such as {@code healthy}, or {@code disabled}
 * @param since when the state began
 * @param error the message of the last error, or the empty string
 * @param errorAt the time of that error; empty if there was none, or if the server could not be created
 * @param address its address, or the empty string before the first connection
 * @param pid its process id, if it is a child of the daemon
 * @param sandbox the sandbox level of its process, if it is a child of the daemon
 * @param serverName its own name, or the empty string before its handshake
 * @param serverVersion its own version, or the empty string
 * @param protocol the negotiated revision, or the empty string
 * @param era {@code legacy} or {@code modern}, or the empty string before the negotiation
 * @param eraShownBy how the era was determined, such as {@code discovered} or {@code configured}
 * @param eraSince when the era was determined first
 * @param sessions the number of open sessions
 * @param connections the number of sessions opened so far
 * @param callsInFlight the number of requests without response
 * @param dropped the number of its messages without receiver or beyond a limit
 * @param remarks remarks about its lists, such as a cut
 * @param restarts the number of reconnections
 * @param latencyMicros the duration of its answers
 * @param pingMicros the duration of the last answer to a keep-alive request; empty before the first one
 * @param readings the values of its stages, such as breaker and retry budget
 */
public record ManagedServerStatus(
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
        Optional<String> eraShownBy,
        Optional<Instant> eraSince,
        int sessions,
        long connections,
        int callsInFlight,
        long dropped,
        List<String> remarks,
        long restarts,
        Latency latencyMicros,
        Optional<Duration> pingMicros,
        List<GaugeReading> readings) {

    static ManagedServerStatus of(UpstreamStatus status, Optional<SandboxLevel> sandbox, List<GaugeReading> readings) {
        var profile = status.profile();
        var verdict = status.verdict();
        return new ManagedServerStatus(
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
                verdict.map(found -> found.evidence().text()),
                verdict.map(found -> found.since()),
                status.sessions(),
                status.connections(),
                status.callsInFlight(),
                status.dropped(),
                status.remarks(),
                status.statistics().restarts(),
                Latency.of(status.statistics().latency()),
                status.statistics().ping(),
                readings);
    }

    /** A server without a route. */
    static ManagedServerStatus absent(ServerSettings settings, String state, String error, Instant since) {
        return new ManagedServerStatus(
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
                Optional.empty(),
                Optional.empty(),
                0,
                0,
                0,
                0,
                List.of(),
                0,
                Latency.NONE,
                Optional.empty(),
                List.of());
    }

    /**
     * The response times of a server in the last five minutes.
     *
     * @param calls how many calls were answered; if 0, all figures are zero
     * @param p50 half of the calls took no longer
     * @param p95 95 of 100 calls took no longer
     * @param p99 99 of 100 calls took no longer
     */
    public record Latency(long calls, Duration p50, Duration p95, Duration p99) {
        public static final Latency NONE = of(LatencyStats.Snapshot.NONE);

        private static Latency of(LatencyStats.Snapshot figures) {
            return new Latency(figures.calls(), figures.p50(), figures.p95(), figures.p99());
        }
    }
}
