package io.mcpbridge.engine;

import io.mcpbridge.call.Principal;
import io.mcpbridge.engine.session.ClientSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * One connected client, for operators.
 *
 * @param session the bridge's name for its session; for a modern client over HTTP, for the oldest of its requests in
 *     flight
 * @param clientId its client id, or the empty string
 * @param name its own name, or the empty string before its handshake
 * @param version its own version
 * @param protocol the negotiated revision, or the empty string before its handshake
 * @param era {@code legacy} or {@code modern}
 * @param processId the process id that it stated, or the empty string
 * @param protocols what it listed under {@code clientInfo.protocols}
 * @param principal the authenticated principal
 * @param network {@code unix}, {@code tcp} or {@code pipe}
 * @param address its remote address
 * @param since when it connected
 * @param callsInFlight its requests in flight
 */
public record ClientStatus(
        String session,
        String clientId,
        String name,
        String version,
        String protocol,
        String era,
        String processId,
        List<String> protocols,
        Principal principal,
        String network,
        String address,
        Instant since,
        int callsInFlight) {

    static ClientStatus of(ClientSnapshot client) {
        var description = client.description();
        var origin = client.origin();
        return new ClientStatus(
                client.session(),
                description.clientId(),
                description.name(),
                description.version(),
                client.protocol(),
                description.agreed().era().name().toLowerCase(Locale.ROOT),
                description.processId(),
                description.protocols(),
                origin.principal(),
                origin.network(),
                origin.address(),
                origin.since(),
                client.callsInFlight());
    }
}
