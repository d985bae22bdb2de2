package io.mcpbridge.gateway;

import java.time.Instant;
import java.util.List;

/**
 * How a daemon is at one moment, for operators.
 *
 * @param status {@code healthy}; {@code degraded} if a server is; {@code unavailable} if no server can be used
 * @param phase {@code serving}, {@code draining} or {@code ended}
 * @param version the daemon's
 * @param pid its process
 * @param since when it started
 * @param servers how many servers are configured and enabled
 * @param serversInTrouble how many of them are degraded or unavailable
 * @param clients how many clients are connected
 * @param callsInFlight requests of all clients that have no answer yet
 * @param listeners where clients reach it
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
        List<String> listeners) {

    public BridgeHealth {
        listeners = List.copyOf(listeners);
    }

    /** The one word for so many servers of which so many are in trouble. */
    static String status(int servers, int serversInTrouble) {
        if (serversInTrouble == 0) {
            return "healthy";
        }
        return serversInTrouble < servers ? "degraded" : "unavailable";
    }
}
