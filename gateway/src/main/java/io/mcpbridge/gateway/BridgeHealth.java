package io.mcpbridge.gateway;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A snapshot of the health of a daemon, for operators.
 *
 * @param status {@code healthy}; {@code degraded} if some servers are degraded or unavailable, or the audit fails;
 *     {@code unavailable} if all servers are, or the audit stops all calls
 * @param phase {@code serving}, {@code draining} or {@code ended}
 * @param version the version of the daemon
 * @param pid the process id of the daemon
 * @param since when the daemon started
 * @param servers the number of configured and enabled servers
 * @param serversUnhealthy the number of servers that are degraded or unavailable
 * @param clients the number of connected clients
 * @param callsInFlight the number of requests of all clients without response
 * @param suspendedCalls the number of calls that wait for answers of their client
 * @param oldestSuspended since when the oldest of them is suspended; empty if there is none
 * @param lapsedCalls the number of suspended calls that expired before their client answered, since the start
 * @param listeners the addresses for clients
 * @param lastErrors the last error of each server that had one, with its time, such as {@code server 'a' at
 *     2026-01-01T00:00:00Z: …}; the server may have recovered since
 * @param audit the health of the audit
 * @param sandbox the sandbox level of children
 * @param reload the result of the last reload
 * @param conditions the health of each enabled server, in the order of the configuration
 */
public record BridgeHealth(
        String status,
        String phase,
        String version,
        long pid,
        Instant since,
        int servers,
        int serversUnhealthy,
        int clients,
        int callsInFlight,
        int suspendedCalls,
        Optional<Instant> oldestSuspended,
        long lapsedCalls,
        List<String> listeners,
        List<String> lastErrors,
        AuditHealth audit,
        DefaultSandboxLevel sandbox,
        ReloadStatus reload,
        List<ManagedServerHealth> conditions) {

    public BridgeHealth {
        listeners = List.copyOf(listeners);
        lastErrors = List.copyOf(lastErrors);
        conditions = List.copyOf(conditions);
    }

    /** The last error of each server that had one. */
    static List<String> lastErrors(List<ManagedServerHealth> servers) {
        return servers.stream().flatMap(BridgeHealth::lastError).toList();
    }

    private static Stream<String> lastError(ManagedServerHealth server) {
        return server.errorAt().stream()
                .map(at -> "server '%s' at %s: %s"
                        .formatted(server.name(), at.truncatedTo(ChronoUnit.SECONDS), server.error()));
    }

    static String status(int servers, int unhealthy, AuditHealth audit) {
        if (audit.stopsCalls()) {
            return "unavailable";
        }
        if (unhealthy == 0) {
            return audit.isFailing() ? "degraded" : "healthy";
        }
        return unhealthy < servers ? "degraded" : "unavailable";
    }
}
