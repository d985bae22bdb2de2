package io.mcpbridge.gateway;

import io.mcpbridge.translate.ParkedStatus;
import io.mcpbridge.upstream.introduction.Identity;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How a daemon is at one moment, for operators.
 *
 * @param status {@code healthy}; {@code degraded} if some servers are in trouble, or the audit is; {@code unavailable} if all
 *     servers are, or no call can be sent because of the audit
 * @param phase {@code serving}, {@code draining} or {@code ended}
 * @param version the daemon's
 * @param pid its process
 * @param since when it started
 * @param servers how many servers are configured and enabled
 * @param serversInTrouble how many of them are degraded or unavailable
 * @param clients how many clients are connected
 * @param callsInFlight requests of all clients that have no answer yet
 * @param parkedCalls calls whose clients were asked something and have not come back with the answer
 * @param oldestParked since when the oldest of them waits; empty if there is none
 * @param lapsedCalls calls whose clients came back too late or never, since the start
 * @param listeners where clients reach it
 * @param lastErrors the last error of each server that had one, with its moment, such as {@code server 'a' at
 *     2026-01-01T00:00:00Z: …}; it may be over
 * @param audit how the audit is
 * @param sandbox how firmly children are held
 * @param reload whether the configuration that it was last told to take is in force
 * @param conditions how each enabled server is, in the order of the configuration
 */
public record BridgeHealth(
        String status,
        String phase,
        String version,
        long pid,
        Instant since,
        int servers,
        int serversInTrouble,
        int clients,
        int callsInFlight,
        int parkedCalls,
        Optional<Instant> oldestParked,
        long lapsedCalls,
        List<String> listeners,
        List<String> lastErrors,
        AuditCondition audit,
        SandboxCondition sandbox,
        ReloadCondition reload,
        List<ServerCondition> conditions) {

    public BridgeHealth {
        listeners = List.copyOf(listeners);
        lastErrors = List.copyOf(lastErrors);
        conditions = List.copyOf(conditions);
    }

    static BridgeHealth of(
            String phase,
            Instant since,
            List<ServerRecord> servers,
            int clients,
            int callsInFlight,
            ParkedStatus parked,
            AuditCondition audit,
            SandboxCondition sandbox,
            ReloadCondition reload,
            List<String> listeners) {
        var enabled = servers.stream()
                .filter(server -> !server.state().equals("disabled"))
                .map(ServerCondition::of)
                .toList();
        var inTrouble =
                (int) enabled.stream().filter(ServerCondition::isInTrouble).count();
        return new BridgeHealth(
                status(enabled.size(), inTrouble, audit),
                phase,
                Identity.OURS.version(),
                ProcessHandle.current().pid(),
                since,
                enabled.size(),
                inTrouble,
                clients,
                callsInFlight,
                parked.parked(),
                parked.oldest(),
                parked.lapsed(),
                listeners,
                enabled.stream().flatMap(BridgeHealth::lastError).toList(),
                audit,
                sandbox,
                reload,
                enabled);
    }

    private static Stream<String> lastError(ServerCondition server) {
        return server.errorAt().stream()
                .map(at -> "server '%s' at %s: %s"
                        .formatted(server.name(), at.truncatedTo(ChronoUnit.SECONDS), server.error()));
    }

    private static String status(int servers, int inTrouble, AuditCondition audit) {
        if (audit.stopsCalls()) {
            return "unavailable";
        }
        if (inTrouble == 0) {
            return audit.isInTrouble() ? "degraded" : "healthy";
        }
        return inTrouble < servers ? "degraded" : "unavailable";
    }
}
